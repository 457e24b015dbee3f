/** `VERSO_TEST_SEED` repeats a failed run; its report names the seed. */
const seed = process.env.VERSO_TEST_SEED
if (seed) (await import('fast-check')).configureGlobal({ seed: Number(seed) })
