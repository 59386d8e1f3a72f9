/** Replaces every secret in a text by `***`, also where it was escaped for a URL or for JSON. */
export type Redact = (text: string) => string;

/** A redactor for some secrets; those under 6 characters are not worth hiding and would eat ordinary words. */
export function redactor(secrets: readonly (string | null | undefined)[]): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === null || secret === undefined || secret.length < 6) continue;
    forms.add(secret);
    forms.add(encodeURIComponent(secret));
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((result, form) => result.split(form).join('***'), text);
}
