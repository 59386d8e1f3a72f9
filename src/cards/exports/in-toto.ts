import type { Card } from '../../core/card.ts';
import { sha256 } from '../../core/hash.ts';
import { prettyJson } from '../../core/json.ts';
import type { Manifest } from '../../core/manifest.ts';

/** Type of the predicate: the page of the package, so that the name is ours. */
export const PREDICATE_TYPE = 'https://www.npmjs.com/package/parallax-audit/audit-provenance/v1';

/**
 * An in-toto Statement (v1) about `card.json`, with the field names of SLSA provenance: the audit as external parameters,
 * every hashed file as a resolved dependency, the program as builder. Unsigned; sign it with a DSSE tool such as cosign.
 * It holds no times: the same audit gives the same bytes.
 */
export function inTotoStatement(manifest: Manifest, card: Card, cardText: string): Record<string, unknown> {
  const descriptor = (record: { path: string; sha256: string }, role: string) => ({
    name: record.path,
    digest: { sha256: record.sha256 },
    annotations: { role },
  });
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'card.json', digest: { sha256: sha256(cardText) } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      buildDefinition: {
        buildType: PREDICATE_TYPE,
        externalParameters: {
          audit: { name: manifest.audit.name, digest: { sha256: manifest.audit.sha256 } },
          seed: manifest.seed,
          statistics: card.statistics,
          cards: card.evaluators.map((entry) => ({
            evaluator: entry.evaluator,
            cardId: entry.cardId,
            digest: { sha256: entry.digest },
          })),
        },
        internalParameters: { evidenceHash: card.evidenceHash, draft: card.draft },
        resolvedDependencies: [
          ...manifest.files.map((record) => descriptor(record, 'result')),
          ...manifest.inputs.map((record) => descriptor(record, record.role)),
        ],
      },
      runDetails: {
        builder: {
          id: 'https://www.npmjs.com/package/parallax-audit',
          version: manifest.packages,
          builderDependencies:
            manifest.source === null
              ? []
              : [
                  {
                    name: 'source',
                    digest: { gitCommit: manifest.source.revision },
                    annotations: { dirty: manifest.source.dirty },
                  },
                ],
        },
        metadata: { invocationId: card.evidenceHash },
      },
    },
  };
}

/** The statement as the file `card.intoto.json`. */
export function inTotoFiles(manifest: Manifest, card: Card): Record<string, string> {
  return { 'card.intoto.json': prettyJson(inTotoStatement(manifest, card, prettyJson(card))) };
}
