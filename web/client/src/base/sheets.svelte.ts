// SPDX-License-Identifier: AGPL-3.0-or-later
// What lies over the page: whoever wants a dialog says which, and the shell shows it. Slices need not know each other for it.
import type { Account, MediaAttachment, Status } from './entities';

export type Sheet =
  | { kind: 'compose'; reply?: Status; quote?: Status; edit?: Status; again?: Status; text?: string; visibility?: Status['visibility']; draft?: string; files?: File[] }
  | { kind: 'media'; media: readonly MediaAttachment[]; at: number }
  | { kind: 'report'; account: Account; status?: Status }
  | { kind: 'mute'; account: Account }
  | { kind: 'note'; account: Account }
  | { kind: 'lists'; account: Account }
  | { kind: 'filter'; status: Status }
  | { kind: 'policy'; status: Status }
  | { kind: 'collect'; account: Account }
  | { kind: 'keys' }
  | { kind: 'palette' };

class Sheets {
  open = $state.raw<readonly Sheet[]>([]);
}
export const sheets = new Sheets();
export const lay = (sheet: Sheet): void => void (sheets.open = [...sheets.open.filter((one) => one.kind !== sheet.kind), sheet]);
export const lift = (sheet: Sheet): void => void (sheets.open = sheets.open.filter((one) => one !== sheet));
