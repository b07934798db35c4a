// SPDX-License-Identifier: AGPL-3.0-or-later
declare module 'virtual:messages' {
  export const languages: { code: string; name: string; direction: 'ltr' | 'rtl' }[];
  export const catalogues: Record<string, Record<string, () => Promise<{ default: object }>>>;
}
