import { AuditError } from '../core/errors.ts';

/** An element of an XML file; text is what stands directly in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const MAX_DEPTH = 64;
const MAX_ELEMENTS = 200_000;
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^>[]*>|<\/\s*([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y;

/**
 * Reads plain XML (no entities but the five built-in ones, no document type definitions) into a tree.
 *
 * @throws AuditError when tags do not match, or the file is nested or long beyond any scene
 */
export function readXml(text: string, where: string): XmlElement {
  const fail = (what: string, at: number): never => {
    const line = text.slice(0, at).split('\n').length;
    throw new AuditError(`${where}:${line}: invalid XML (${what}); expected a complete XML file`);
  };
  const top: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const stack: OpenElement[] = [top];
  let count = 0;
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return fail('unexpected text', at);
    at = TOKEN.lastIndex;
    const [, closing, opening, attributes, single, words] = match;
    const current = stack.at(-1) as OpenElement;
    if (words !== undefined) current.text += decode(words);
    else if (closing !== undefined) {
      if (stack.length === 1 || current.name !== closing) fail(`</${closing.slice(0, 40)}> without its start`, at);
      stack.pop();
    } else if (opening !== undefined) {
      count += 1;
      if (count > MAX_ELEMENTS || stack.length > MAX_DEPTH) fail('too many or too deeply nested elements', at);
      const element: OpenElement = {
        name: opening,
        attributes: attributesOf(attributes ?? ''),
        children: [],
        text: '',
      };
      current.children.push(element);
      if (single !== '/') stack.push(element);
    }
  }
  if (stack.length !== 1) fail(`<${(stack.at(-1) as OpenElement).name.slice(0, 40)}> is not closed`, text.length);
  return top.children[0] ?? fail('no element', text.length);
}

/** Children of one name. */
export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The first element down a path of names, or null. */
export function elementAt(element: XmlElement, ...path: readonly string[]): XmlElement | null {
  let current: XmlElement | undefined = element;
  for (const name of path) {
    current = current.children.find((child) => child.name === name);
    if (current === undefined) return null;
  }
  return current;
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name, double, simple] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (name !== '__proto__') found[name as string] = decode(double ?? simple ?? '');
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}
