import type { Card, CardEvaluator } from '../core/card.ts';
import { describeContract } from './describe-contract.ts';
import { describeEvidence } from './describe-evidence.ts';
import type { DescribedEvaluator } from './described.ts';
/** Everything a rendered card says about one evaluator. */
export function describeCard(card: Card, entry: CardEvaluator): DescribedEvaluator {
  return {
    evaluator: entry.evaluator,
    cardId: entry.cardId,
    digest: entry.digest,
    role: entry.contract.evaluator.role,
    contract: describeContract(entry.contract),
    evidence: describeEvidence(card, entry.evidence),
  };
}
