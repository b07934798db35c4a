// SPDX-License-Identifier: AGPL-3.0-or-later
// What html-validate finds wrong with the source of a page: the rules of HTML itself, none of taste.
import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'], rules: { 'no-inline-style': 'off', 'long-title': 'off', 'require-sri': 'off' } });

export async function invalid(html) {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, line, selector }) => `${ruleId}: ${message} (line ${line}, ${selector})`));
}
