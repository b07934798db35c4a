// SPDX-License-Identifier: AGPL-3.0-or-later
// SPDX-License-Identifier: AGPL-3.0-or-later
import type { Status } from '../base/entities';

export const addressOf = (status: Status): string => `/@${status.account.acct}/${status.id}`;
export const visibilityIcons = { public: 'globe', unlisted: 'moon', private: 'lock', direct: 'at', limited: 'lock' } as const;
