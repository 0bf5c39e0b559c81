import type { CallerName, FuzzRequest } from "./request.ts";

const KEY_PATH = /^\/api\/v1\/(jwt\/)?fetch_api_key(\?|$)/;

/** Texts that no log line may hold, and that answers hold only for those who own them. */
export class Secrets {
  readonly #hidden = new Set<string>();
  readonly #logged = new Set<string>();
  readonly #keys = new Map<string, CallerName>();

  /** Adds a secret that neither a log line nor the body of an answer may hold. */
  addHidden(secret: string): void {
    this.#hidden.add(secret);
  }

  /** Adds a secret that answers may hold. */
  addLogged(secret: string): void {
    this.#logged.add(secret);
  }

  /** Adds an API key, which only answers to its account may hold. */
  addKey(key: string, caller: CallerName): void {
    if (caller === "bot") this.#logged.add(key);
    else this.#keys.set(key, caller);
  }

  /** Adds the secrets that an answer hands out. */
  addAnswer(body: string): void {
    for (const [, key = ""] of body.matchAll(/"api_key":"([A-Za-z0-9]{32})"/g)) this.#logged.add(key);
    for (const [, key = ""] of body.matchAll(/"invite_link":"[^"]*\/join\/([A-Za-z0-9]+)"/g)) {
      this.#logged.add(key);
    }
  }

  /** Returns the first secret in log lines; null without one. */
  findInLog(text: string): string | null {
    for (const secret of [...this.#hidden, ...this.#logged, ...this.#keys.keys()]) {
      if (text.includes(secret)) return secret;
    }
    return null;
  }

  /** Returns a secret in the body of an answer that its caller may not get; null without one. */
  findInAnswer({ target, caller }: Pick<FuzzRequest, "target" | "caller">, text: string): string | null {
    for (const secret of this.#hidden) {
      if (text.includes(secret)) return secret;
    }
    // A password obtains the key of its account, whichever caller sends it.
    if (KEY_PATH.test(target)) return null;
    for (const [key, owner] of this.#keys) {
      if (owner !== caller && text.includes(key)) return key;
    }
    return null;
  }
}
