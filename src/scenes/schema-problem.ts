import type { z } from 'zod';

/** First problem of a failed schema check on one line: where it is and what was expected. */
export function schemaProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'invalid; expected the scene schema';
  const path = issue.path.length === 0 ? 'top level' : issue.path.map(String).join('.');
  return `${path}: ${issue.message.replace(/\s+/g, ' ')}`;
}
