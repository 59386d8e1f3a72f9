import type { ElementHandle, Page } from 'puppeteer-core';

/** What a page did while it was open that a self-contained page must not do. */
export interface Watched {
  readonly errors: string[];
  readonly requests: string[];
}

export function watch(page: Page): Watched;
export function lowContrast(page: Page): Promise<string[]>;
export function overflow(page: Page): Promise<{ by: number; elements: string[] }>;
export function openAll(page: Page): Promise<void>;
export function links(page: Page): Promise<{ links: string[]; anchors: string[] }>;
export function inView(page: Page, id: string): Promise<void>;
export function tab(page: Page): Promise<{ order: number; text: string; outline: string }>;
export function styleOf(page: Page, selector: string, property: string): Promise<string>;
export function shownText(page: Page, selector: string): Promise<string | null>;
export function attribute(page: Page, element: ElementHandle | null, name: string): Promise<string | null>;
export function alive(page: Page, drawing: ElementHandle | null): Promise<void>;
export function highlight(page: Page, drawing: ElementHandle | null): Promise<void>;
export function drawn(page: Page, kind: string): Promise<Record<string, (string | null)[]>>;
export function wakeAll(page: Page, kind: string): Promise<void>;
export function choose(page: Page, figure: string, text: string): Promise<void>;
export function marksOf(page: Page, figure: string, kind: string, count: number): Promise<string[]>;
