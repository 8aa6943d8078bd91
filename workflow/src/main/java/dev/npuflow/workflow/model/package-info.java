/// Real models in: configuration, weights, tokenizer of a Hugging Face directory.
@NullMarked
package dev.npuflow.workflow.model;

import org.jspecify.annotations.NullMarked;
