/**
 * Sentences that open a conversation. `{thing}` and `{other}` are things of the channel, `{place}` is a
 * place, `{day}` a day, `{time}` a time and `{n}` a small number.
 */
export const OPENERS: readonly string[] = [
  "Could someone look at {thing} on {day}?",
  "Good news: {thing} is back, and it looks better than before.",
  "I checked {thing} this morning. All fine, but {other} needs attention.",
  "Who has time on {day} at {time}? We need {n} people for {thing}.",
  "Reminder: we meet at {time} by {place}. Bring gloves.",
  "Does anyone know where {thing} went? It was by {place} last week.",
  "I wrote down what we decided about {thing}: {n} hours a week, and we look again in a month.",
  "Small problem with {thing}: it does not fit next to {other}.",
  "Thank you to everyone who helped with {thing}! We finished **{n} hours** early.",
  "I would like to try something new with {thing}. Objections?",
  "{thing} again. Same as last {day}, only worse.",
  "We have {n} left over. First come, first served, by {place}.",
  "Plan for {day}:\n\n1. {thing}\n2. {other}\n3. Cake by {place}",
  "Photos of {thing} will follow, my hands are too muddy right now :sprout:",
  "Question about {thing}: how often, and how much?",
  "I moved {thing} to {place}, so that {other} gets more light.",
  "Can we talk about {thing} before {day}? I need a decision to order parts.",
  "For the record: {thing} took {n} hours, not the two that I promised.",
];

/** Sentences that answer; `{name}` mentions the person who wrote before. */
export const REPLIES: readonly string[] = [
  "I can do that on {day}.",
  "Count me in.",
  "Not this week, sorry. Maybe on {day} after {time}.",
  "{name} Thanks! I will bring {other}.",
  "Same here. I thought it was only me.",
  "Have you tried {place}? It is drier there.",
  "Yes, please. {n} would be enough.",
  "I would wait until {day}, the forecast says rain.",
  "That worked well last year.",
  "Let us keep it simple: {thing} first, the rest later.",
  "{name} Could you write that down in HB-season?",
  "Done :tada:",
  "I left a note by {place}.",
  "How long does it take? I have {n} hours.",
  "Agreed. And {other} should not stand in the sun.",
  "Looks *much* better now.",
  "Wonderful news!",
  "I am not convinced. Last time we lost {n} of them.",
  "{name} I asked, and the answer is yes.",
  "Good point, I had not thought of {other}.",
  "See you at {time} then.",
  "I can bring coffee :coffee:",
  "Is {other} part of it, or do we leave that for later?",
  "We should ask @_**{silent}** too.",
  "Fine with me.",
  "Please not before {time}, I have to cross half the town.",
  "> I would wait until {day}\n\nI would not, the ground is perfect now.",
];

/** Messages with markup: code, math, lists, tables, links, polls. */
export const SPECIALS: readonly string[] = [
  "Script for your own labels:\n\n```python\nfor row in beds:\n    print(row.number, row.crop)\n```",
  'The timer accepts this:\n\n```json\n{ "zone": {n}, "minutes": 12, "start": "05:30" }\n```',
  "Tank volume, for the permit:\n\n```math\nV = \\pi r^2 h \\approx 3.14 \\cdot 0.54 \\approx 1.7\n```",
  "The rule for the north bed is $$y = 2x + 3$$ seeds for $$x$$ feet.",
  "With a slope of $$\\tan\\alpha = 0.06$$ the ramp is {n} feet long.",
  "| Bed | Crop | Next |\n| --- | --- | --- |\n| {n} | kale | beans |\n| 12 | tomatoes | rye |",
  "- [x] {thing}\n- [ ] {other}\n- [ ] sweep the path to {place}",
  "The page is at https://www.larkspur.example/season?bed={n}, corrections welcome.",
  "See the [care sheet](https://handbook.larkspur.example/care) and plot {n}.",
  "/poll When do we meet?\n{day} at {time}\nSunday at 10:00\nI cannot come",
  "/poll What do we plant next to {thing}?\nmarigolds\nbasil\nnothing",
  "/todo Before the open day\n{thing}: check\n{other}\nposters",
  "```spoiler Answer to the riddle of the week\nIt was the quince.\n```",
  "See #231 and T-104 for what is left to do.",
  "@*waterers* please check {thing} before {day}.",
  "~~8:00~~ **{time}**, because of the rain.",
  "<time:2026-12-05T10:00:00-05:00> works for everyone who answered.",
];

/** First lines of direct conversations. */
export const DIRECT_OPENERS: readonly string[] = [
  "Hi! Do you still have the key of the shed?",
  "Are you coming on {day}?",
  "Could you take my watering turn on {day}? I will take yours.",
  "I saved {n} jars for you, they are by {place}.",
  "Thank you for yesterday!",
  "Can I call you at {time} about the open day?",
  "Quick question: who orders wood chips now?",
];

/** Values of the placeholders that do not depend on the channel. */
export const PLACES = [
  "the pavilion",
  "the main gate",
  "row B",
  "the pump",
  "the shed",
  "the old quince",
] as const;
/** Names of days. */
export const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
/** Times of a day. */
export const TIMES = ["9:00", "10:30", "noon", "3 p.m.", "5:30 p.m.", "7 p.m."] as const;
/** Emoji of reactions with their names in the API, the frequent ones several times. */
export const REACTIONS = [
  ...["+1", "+1", "+1", "heart", "heart", "tada", "smile", "seedling", "eyes"],
  ...["sprout", "beehive", "rainbow", "clap", "thinking"],
] as const;
