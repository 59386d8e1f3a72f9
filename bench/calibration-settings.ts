/** What `npm run calibrate` simulates. The document states every one of these. */
export const CALIBRATION = {
  seed: 20261130,
  /** Intervals of a margin. */
  margin: { prompts: [10, 20, 50, 200], runs: 4000, resamples: 1000 },
  /** Intervals of rho, for true values below, around and far above 1. */
  rho: { prompts: [10, 20, 50, 200], truths: [0.3, 1, 3, 10], runs: 800, resamples: 1000 },
  /** Family-wise error: 134 configurations x 15 pairs = 2,010 contrasts, and once 334 x 15 = 5,010. */
  family: { prompts: [20, 50], rows: 134, runs: 600, resamples: 999 },
  /** Costlier cells of the same, for independent scores only. */
  moreFamilies: [
    { prompts: 200, rows: 134, runs: 100 },
    { prompts: 20, rows: 334, runs: 300 },
    { prompts: 50, rows: 334, runs: 300 },
  ],
  power: { prompts: [20, 50, 200], effects: [0.25, 0.5, 0.75, 1, 1.5, 2, 3], rows: 134, runs: 300, resamples: 999 },
  reversals: { prompts: [20, 50], rows: 134, runs: 200, resamples: 999 },
} as const;

/** Share of the runs of a quick form, to see that the command works: `npm run calibrate -- --quick` (writes nothing). */
export const QUICK = 0.02;
