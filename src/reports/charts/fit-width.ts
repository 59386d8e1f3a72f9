/** A chart as wide as it is asked to be, axes and legend included; its height follows its rows. */
export const FIT_WIDTH = { type: 'fit-x', contains: 'padding' } as const;
