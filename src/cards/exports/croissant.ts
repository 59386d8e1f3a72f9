import type { Card } from '../../core/card.ts';
import { prettyJson } from '../../core/json.ts';
import type { Manifest } from '../../core/manifest.ts';

/** What an audit cannot know and a published data set must state. */
export interface CroissantOptions {
  /** Address of a licence, such as an SPDX page. */
  readonly license?: string | undefined;
  /** Page of the data set. */
  readonly url?: string | undefined;
  readonly creator?: string | undefined;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Turns a path relative to the results folder into one relative to the metadata file. */
  readonly locate: (path: string) => string;
}

const CONTEXT = {
  '@language': 'en',
  '@vocab': 'http://schema.org/',
  sc: 'http://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  prov: 'http://www.w3.org/ns/prov#',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  isLiveDataset: 'cr:isLiveDataset',
  key: 'cr:key',
  recordSet: 'cr:recordSet',
  source: 'cr:source',
} as const;

const SCENE_COLUMNS = [
  ['hash', 'sc:Text', 'SHA-256 of the frozen scene'],
  ['generator', 'sc:Text', 'Generator that made the scene'],
  ['prompt', 'sc:Text', 'Id of the prompt it was made for'],
  ['probe', 'sc:Text', 'Degradation of the scene; empty for an original'],
] as const;

/**
 * Croissant 1.1 metadata of the frozen scenes of an audit: each scene file with its SHA-256, and the table that says which
 * generator and prompt it belongs to. What the audit does not know stays marked as not stated.
 */
export function croissantFiles(manifest: Manifest, card: Card, options: CroissantOptions): Record<string, string> {
  const scenes = manifest.inputs.filter((record) => record.role === 'scene');
  const table = manifest.files.find((record) => record.path === 'scenes.csv');
  const distribution = [
    ...(table === undefined
      ? []
      : [fileObject('scenes.csv', table, options, 'text/csv', 'Scenes by generator and prompt')]),
    ...scenes.map((record) =>
      fileObject(sceneId(record.path), record, options, mediaType(record.path), 'Frozen scene'),
    ),
  ];
  const metadata = {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    name: `${card.audit.name} frozen scenes`,
    description: `${scenes.length} files of ${manifest.counts.scenes} frozen scenes by ${manifest.generators.length} generators for ${manifest.prompts.length} prompts, audited with Parallax. Evaluator cards: ${card.evaluators.map((entry) => entry.cardId).join(', ')}.`,
    license: options.license ?? { '@type': 'sc:CreativeWork', name: 'not stated' },
    url: options.url ?? `urn:sha256:${card.evidenceHash}`,
    creator: { '@type': 'sc:Organization', name: options.creator ?? 'not stated' },
    datePublished: options.date,
    version: `1.0.0+${card.evidenceHash.slice(0, 12)}`,
    isLiveDataset: false,
    'prov:wasGeneratedBy': {
      '@type': 'prov:Activity',
      name: `parallax-audit ${manifest.packages['parallax-audit'] ?? 'unknown'}`,
    },
    distribution,
    recordSet:
      table === undefined
        ? []
        : [
            {
              '@type': 'cr:RecordSet',
              '@id': 'scenes',
              name: 'scenes',
              key: { '@id': 'scenes/hash' },
              field: SCENE_COLUMNS.map(([column, dataType, description]) => ({
                '@type': 'cr:Field',
                '@id': `scenes/${column}`,
                name: column,
                description,
                dataType,
                source: { fileObject: { '@id': 'scenes.csv' }, extract: { column } },
              })),
            },
          ],
  };
  return { 'croissant.json': prettyJson(metadata) };
}

/** What a person still has to state before publishing, in words; empty when nothing is missing. */
export function croissantGaps(options: CroissantOptions): string[] {
  return (['license', 'url', 'creator'] as const)
    .filter((field) => options[field] === undefined)
    .map((field) => `${field} is not stated: an audit does not know it`);
}

function fileObject(
  id: string,
  record: { path: string; sha256: string; bytes: number },
  options: CroissantOptions,
  encodingFormat: string,
  description: string,
) {
  return {
    '@type': 'cr:FileObject',
    '@id': id,
    name: id,
    description,
    contentUrl: options.locate(record.path),
    contentSize: `${record.bytes} B`,
    encodingFormat,
    sha256: record.sha256,
  };
}

/** `generator/prompt/file`: the same wherever the scenes lie, unlike their path from the results folder. */
function sceneId(path: string): string {
  return path.split('/').slice(-3).join('/');
}

function mediaType(path: string): string {
  return path.endsWith('.glb')
    ? 'model/gltf-binary'
    : path.endsWith('.json')
      ? 'application/json'
      : 'application/octet-stream';
}
