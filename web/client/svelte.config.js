// SPDX-License-Identifier: AGPL-3.0-or-later
export default {
  compilerOptions: {
    runes: true,
    // A screen is made anew for every entry of the history: what it is given does not change while it lives.
    warningFilter: (warning) => warning.code !== 'state_referenced_locally',
  },
};
