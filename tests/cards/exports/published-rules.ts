import { z } from 'zod';

/**
 * The rules of the published schemas that our exports promise to keep, written down from their documentation. Strict where
 * the schema forbids unknown keys, finite where it forbids NaN.
 */
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const strings = z.record(z.string(), z.string());

/** in-toto Statement v1 with SLSA-style provenance fields. */
export const inTotoRules = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.strictObject({ name: z.string().min(1), digest: z.strictObject({ sha256: digest }) })).min(1),
  predicateType: z.url(),
  predicate: z.strictObject({
    buildDefinition: z.strictObject({
      buildType: z.url(),
      externalParameters: z.record(z.string(), z.unknown()),
      internalParameters: z.record(z.string(), z.unknown()),
      resolvedDependencies: z.array(
        z.strictObject({
          name: z.string().min(1),
          digest: z.strictObject({ sha256: digest }),
          annotations: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
    runDetails: z.strictObject({
      builder: z.strictObject({
        id: z.url(),
        version: strings,
        builderDependencies: z.array(
          z.strictObject({
            name: z.string(),
            digest: z.strictObject({ gitCommit: z.string() }),
            annotations: z.record(z.string(), z.unknown()),
          }),
        ),
      }),
      metadata: z.strictObject({ invocationId: z.string() }),
    }),
  }),
});

const bound = z.union([z.number(), z.literal('Infinity'), z.literal('-Infinity')]);

/** Every Eval Ever, eval.schema.json 0.3.0: no unknown key at the root, details are strings, a score within its limits. */
export const everyEvalEverRules = z.strictObject({
  schema_version: z.literal('0.3.0'),
  evaluation_id: z.string().regex(/^[^/]+\/[^/]+\/[^/]+$/),
  retrieved_timestamp: z.string().regex(/^\d+$/),
  source_metadata: z.strictObject({
    source_name: z.string(),
    source_type: z.enum(['documentation', 'evaluation_run']),
    source_organization_name: z.string(),
    source_organization_url: z.string().optional(),
    evaluator_relationship: z.enum(['first_party', 'third_party', 'collaborative', 'other']),
    additional_details: strings.optional(),
  }),
  model_info: z.object({
    name: z.string(),
    id: z.string().regex(/^[^/]+\/[^/]+$/),
    additional_details: z
      .object({
        deployment_type: z.enum(['self_deployed', 'externally_managed', 'unknown']),
        model_availability: z.enum(['open_weights', 'closed_weights', 'unknown']),
      })
      .catchall(z.string()),
  }),
  eval_library: z.strictObject({ name: z.string(), version: z.string(), additional_details: strings.optional() }),
  evaluation_results: z
    .array(
      z
        .object({
          evaluation_result_id: z.string(),
          evaluation_name: z.string(),
          source_data: z.strictObject({
            dataset_name: z.string(),
            source_type: z.literal('other'),
            additional_details: strings.optional(),
          }),
          metric_config: z
            .object({
              lower_is_better: z.boolean(),
              metric_parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
              score_type: z.literal('continuous'),
              min_score: bound,
              max_score: bound,
            })
            .catchall(z.string()),
          score_details: z.strictObject({
            score: z.number(),
            details: strings,
            uncertainty: z.strictObject({
              confidence_interval: z
                .strictObject({
                  lower: z.number(),
                  upper: z.number(),
                  confidence_level: z.number().gt(0).lt(1),
                  method: z.string(),
                })
                .optional(),
              num_samples: z.number().int(),
              num_bootstrap_samples: z.number().int().optional(),
            }),
          }),
        })
        .refine(
          ({ metric_config: metric, score_details: { score } }) =>
            score >= Number(metric.min_score) && score <= Number(metric.max_score),
          'score outside its limits',
        ),
    )
    .min(1),
});

/** Hugging Face `.eval_results/*.yaml`: a list of results; a source needs an address. */
export const huggingFaceRules = z
  .array(
    z.strictObject({
      dataset: z.strictObject({ id: z.string(), task_id: z.string(), revision: z.string().optional() }),
      value: z.number(),
      verifyToken: z.string().optional(),
      date: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .optional(),
      source: z
        .strictObject({
          url: z.url(),
          name: z.string().optional(),
          user: z.string().optional(),
          org: z.string().optional(),
        })
        .optional(),
      notes: z.string().optional(),
    }),
  )
  .min(1);

const text = z.string().min(1);

/** Croissant 1.1: the properties its specification requires, and the parts we use. */
export const croissantRules = z.object({
  '@context': z
    .object({
      '@vocab': z.literal('http://schema.org/'),
      sc: z.literal('http://schema.org/'),
      cr: z.literal('http://mlcommons.org/croissant/'),
      dct: z.literal('http://purl.org/dc/terms/'),
      conformsTo: z.literal('dct:conformsTo'),
    })
    .loose(),
  '@type': z.literal('sc:Dataset'),
  conformsTo: z.literal('http://mlcommons.org/croissant/1.1'),
  name: text,
  description: text,
  license: z.union([z.url(), z.object({ '@type': z.literal('sc:CreativeWork'), name: text })]),
  url: z.url(),
  creator: z.object({ '@type': z.enum(['sc:Organization', 'sc:Person']), name: text }),
  datePublished: z.iso.date(),
  isLiveDataset: z.boolean(),
  version: z.string().regex(/^\d+\.\d+\.\d+(\+[0-9a-f]+)?$/),
  distribution: z
    .array(
      z.object({
        '@type': z.literal('cr:FileObject'),
        '@id': text,
        name: text,
        contentUrl: text,
        contentSize: z.string().regex(/^\d+ B$/),
        encodingFormat: z.string().regex(/^\w+\/[\w.+-]+$/),
        sha256: digest,
      }),
    )
    .min(1),
  recordSet: z.array(
    z.object({
      '@type': z.literal('cr:RecordSet'),
      '@id': text,
      key: z.object({ '@id': text }),
      field: z
        .array(
          z.object({
            '@type': z.literal('cr:Field'),
            '@id': text,
            dataType: z.string().regex(/^sc:\w+$/),
            source: z.object({
              fileObject: z.object({ '@id': text }),
              extract: z.object({ column: text }),
            }),
          }),
        )
        .min(1),
    }),
  ),
});
