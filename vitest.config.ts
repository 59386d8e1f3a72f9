import { defineConfig } from 'vitest/config';

/** Projects: `unit` runs in parallel; `browser` and `cli` start Chromium or whole sweeps and run one file at a time. */
export default defineConfig({
  test: {
    sequence: { shuffle: { files: false, tests: true } },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/**/*.browser.test.ts', 'tests/**/*.cli.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/**/*.browser.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'cli',
          include: ['tests/**/*.cli.test.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
