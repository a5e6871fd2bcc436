// SPDX-License-Identifier: MIT
// Dark or light: as the system has it, until somebody chooses.

const KEY = "carom-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

/** Pages from disk may have no storage. */
const remembered = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const remember = (choice) => {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Then the choice lasts as long as the page.
  }
};

export class Theme {
  constructor() {
    this.choice = remembered() ?? "auto";
    /** @type {(() => void)[]} */
    this.listeners = [];
    system.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  get name() {
    return this.choice === "auto" ? (system.matches ? "dark" : "light") : this.choice;
  }

  /** @param {"dark" | "light" | "auto"} choice */
  set(choice) {
    if (!["dark", "light", "auto"].includes(choice)) return;
    this.choice = choice;
    this.#apply();
  }

  toggle() {
    this.set(this.name === "dark" ? "light" : "dark");
    remember(this.choice);
  }

  #apply() {
    document.documentElement.dataset.theme = this.name;
    for (const listener of this.listeners) listener();
  }
}
