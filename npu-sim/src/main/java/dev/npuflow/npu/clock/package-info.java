/// How long what is built takes, whatever machine it was built for: launches by their graphs, the host path, replays and timelines.
@NullMarked
package dev.npuflow.npu.clock;

import org.jspecify.annotations.NullMarked;
