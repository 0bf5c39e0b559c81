import type { HomeData } from "@/lib/http/home.ts";

/** The home page. */
export function Home({ made, form }: HomeData) {
  return (
    <main>
      <h1>Sotto</h1>
      <form method="post" action="/">
        <input name="url" value={form.url} />
        <button type="submit">Shorten</button>
      </form>
      {form.problem !== null && <p role="alert">{form.problem}</p>}
      {made !== null && <a href={made.link}>{made.link}</a>}
    </main>
  );
}
