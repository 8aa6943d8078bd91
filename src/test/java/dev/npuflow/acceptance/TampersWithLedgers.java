package dev.npuflow.acceptance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test that changes a ledger behind npuflow's back: [LedgersAreIntact] does not look at what it leaves.
@Target(ElementType.TYPE) @Retention(RetentionPolicy.RUNTIME)
@interface TampersWithLedgers {
}
