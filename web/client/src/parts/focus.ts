// SPDX-License-Identifier: AGPL-3.0-or-later
// What had the focus may go with what it did: then what comes in its place has it.
import { tick } from 'svelte';

export async function focusAfter(act: () => unknown, place: () => HTMLElement | null | undefined): Promise<void> {
  await act();
  await tick();
  if (document.activeElement === document.body) place()?.focus({ preventScroll: true });
}
