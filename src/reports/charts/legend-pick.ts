/**
 * Picking in the legend: a selection bound to the legend of `field`, and the opacity that fades what is not picked.
 * Nothing picked shows everything, which is also what the drawing without scripts shows.
 */
export function legendPick(field: string) {
  return {
    params: [{ name: 'pick', select: { type: 'point' as const, fields: [field] }, bind: 'legend' as const }],
    opacity: (full: number) => ({ condition: { param: 'pick', value: full }, value: 0.12 }),
  };
}
