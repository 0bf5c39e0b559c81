/** Kinds of pages that the short links lead to: an address with `{n}` and `{word}`, and how popular it is. */
export const LINK_PATTERNS: readonly (readonly [address: string, popularity: number])[] = [
  ["https://www.larkspur.example/plots/{n}", 1],
  ["https://www.larkspur.example/events/{word}?day={n}", 4],
  ["https://handbook.larkspur.example/care/{word}", 3],
  ["https://handbook.larkspur.example/beds/{n}?section={word}&print=yes", 1],
  ["https://tools.larkspur.example/catalog/{n}?from=poster", 2],
  ["https://seeds.larkspur.example/drawers/{n}/{word}", 2],
  ["https://books.larkspur.example/shelf/{n}#{word}", 1],
  ["https://recipes.larkspur.example/{word}-{n}?servings=4&language=en", 2],
  ["https://weather.larkspur.example/stations/{n}/rain?range=month", 1],
  ["https://forms.larkspur.example/sign-up/{word}-{n}", 3],
  ["https://pictures.larkspur.example/albums/{word}/{n}", 2],
  ["https://maps.larkspur.example/?plot={n}&layer={word}&zoom=18", 1],
];

/** The most popular links; their visits do not fade. */
export const POPULAR_LINKS: readonly (readonly [address: string, popularity: number])[] = [
  ["https://www.larkspur.example/open-day?utm_source=poster", 34],
  ["https://forms.larkspur.example/sign-up/harvest-dinner", 23],
  ["https://handbook.larkspur.example/first-season", 17],
  ["https://seeds.larkspur.example/catalog?season=fall", 13],
  ["https://tools.larkspur.example/catalog", 10],
  ["https://www.larkspur.example/opening-hours#holidays", 8],
];

/** Words of addresses. */
export const LINK_WORDS = [
  ...["tomatoes", "pruning", "compost", "bees", "watering", "frost", "seed-swap", "grafting", "mulch"],
  ...["pumpkin-soup", "cider", "quince", "herbs", "kids-sunday", "tool-repair", "raised-beds", "dahlias"],
] as const;
