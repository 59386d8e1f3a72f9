import { sha256 } from '../../core/hash.ts';
import type { Look } from './look.ts';

const COLOUR_WORDS = ['red', 'green', 'blue', 'yellow', 'orange', 'purple', 'pink', 'colourful', 'colorful', 'bright'];
const EMPTY_WORDS = ['empty', 'sparse', 'minimal', 'minimalist', 'bare'];

/**
 * How well a picture fits a text, in 0..1: a fixed function of both, of no merit as a judge, but one that falls when
 * objects disappear, moves with camera, light and background, and depends on the words.
 *
 * A text of n distinct words of four letters or more asks for a foreground share of 0.15 + 0.5 min(1, n/40) (half of it
 * when it says the room is sparse), and for colour when it names one; up to 0.03 comes from a hash of its words, so that
 * two wordings of one prompt differ.
 */
export function opinionOf(look: Look, text: string, field: string): number {
  const words = [...new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? [])].sort();
  const sparse = words.some((word) => EMPTY_WORDS.includes(word)) ? 0.5 : 1;
  const wantedShare = sparse * (0.15 + 0.5 * Math.min(1, words.length / 40));
  const wantsColour = /\b[a-z]+\b/i.test(text) && COLOUR_WORDS.some((word) => text.toLowerCase().includes(word));
  const share = 1 - Math.min(1, Math.abs(look.foreground - wantedShare) / 0.6);
  const colour = wantsColour ? look.colourfulness : 1 - 0.5 * look.colourfulness;
  const wording = Number.parseInt(sha256(words.join(' ')).slice(0, 6), 16) / 0xffffff;
  const weights = WEIGHTS[Number.parseInt(sha256(field).slice(0, 4), 16) % WEIGHTS.length] as (typeof WEIGHTS)[number];
  const sum = weights[0] * share + weights[1] * colour + weights[2] * look.detail;
  return Math.min(1, Math.max(0, 0.97 * sum + 0.03 * wording));
}

/** Weights of foreground share, colour and detail; a field of a rubric always uses the same one. */
const WEIGHTS = [
  [0.55, 0.25, 0.2],
  [0.7, 0.1, 0.2],
  [0.35, 0.25, 0.4],
] as const;
