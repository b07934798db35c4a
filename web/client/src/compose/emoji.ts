// SPDX-License-Identifier: AGPL-3.0-or-later
import { get } from '../base/api';
import type { CustomEmoji } from '../base/entities';

let asked: Promise<CustomEmoji[]> | undefined;
export const customEmoji = (): Promise<CustomEmoji[]> => (asked ??= get<CustomEmoji[]>('/api/v1/custom_emojis').catch(() => ((asked = undefined), [])));

// The most used, by what they say; the whole of Unicode is on everybody's keyboard.
export const common: [string, string][] = [
  ['faces', '😀 😃 😄 😁 😅 😂 🤣 😊 😇 🙂 😉 😍 🥰 😘 😋 😜 🤪 🤗 🤔 🤭 🫣 🤫 😐 😶 🙄 😏 😌 😴 🤤 😷 🤒 🤯 🥳 😎 🤓 🧐 😕 😟 🙁 😮 😲 🥺 😢 😭 😱 😤 😡 🤬 💀 💩 🤡 👻 👽 🤖'],
  ['hands', '👍 👎 👏 🙌 🤝 🙏 💪 👋 🤙 ✌️ 🤞 🫶 👀 🧠 ❤️ 🧡 💛 💚 💙 💜 🖤 🤍 💔 ✨ 🔥 💯 ⭐ 🎉 🎂 🎁'],
  ['nature', '🐦 🦆 🐶 🐱 🦊 🐻 🐼 🐸 🐝 🦋 🐢 🐙 🐟 🌱 🌳 🌸 🌻 🍄 🌍 🌙 ☀️ ⛅ 🌧️ ❄️ 🌈 🌊'],
  ['things', '☕ 🍵 🍺 🍷 🍎 🍓 🍕 🍰 🏠 🚲 🚆 ✈️ ⚽ 🎸 🎧 🎮 📚 📷 💡 💻 📱 🔧 🔒 📌 📎 ✏️ 📅 ✅ ❌ ❓ ❗ ➡️ 🏳️‍🌈 🏳️‍⚧️'],
];
