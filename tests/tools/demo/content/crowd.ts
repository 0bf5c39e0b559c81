/** First names of the people of a large demo. */
export const FIRST_NAMES: readonly string[] = [
  ...["Ada", "Alba", "Amir", "Anke", "Arlo", "Asta", "Aud", "Bela", "Bram", "Brita", "Cato", "Clea", "Cosmo"],
  ...["Dagny", "Dario", "Dora", "Edda", "Elio", "Elke", "Emre", "Enid", "Esme", "Ezra", "Fay", "Fenna"],
  ...["Finn", "Flora", "Gaia", "Gil", "Greer", "Hana", "Hugo", "Ida", "Ines", "Iris", "Isak", "Ivo", "Jana"],
  ...["Jelle", "Joni", "Juno", "Kasia", "Kian", "Kira", "Lars", "Leda", "Leif", "Lena", "Lior", "Lotte"],
  ...["Luca", "Luz", "Magda", "Malik", "Mara", "Mateo", "Mika", "Milan", "Mina", "Mirko", "Nadia", "Nell"],
  ...["Nico", "Nils", "Nora", "Odette", "Olaf", "Olga", "Omar", "Orla", "Otis", "Pavel", "Petra", "Pia"],
  ...["Quinn", "Rafael", "Ravi", "Rhea", "Rosa", "Rune", "Sabine", "Sami", "Selma", "Sigrid", "Silas"],
  ...["Sonja", "Sven", "Tara", "Thea", "Tilo", "Tova", "Uma", "Vera", "Vito", "Wanda", "Wim", "Xenia"],
  ...["Yael", "Yara", "Zeno"],
];

/** Last names of the people of a large demo. */
export const LAST_NAMES: readonly string[] = [
  ...["Abel", "Adler", "Alder", "Amsel", "Ashby", "Bach", "Barros", "Beck", "Berg", "Birk", "Blom", "Brandt"],
  ...["Brook", "Calder", "Castro", "Cole", "Costa", "Dahl", "Dale", "Dorn", "Drake", "Ebner", "Ekberg"],
  ...["Elm", "Engel", "Faber", "Falk", "Fern", "Field", "Fink", "Forde", "Frost", "Garza", "Glen", "Grove"],
  ...["Haas", "Hale", "Hardt", "Hawke", "Heath", "Hill", "Holm", "Horn", "Ibarra", "Ivers", "Jansen"],
  ...["Joss", "Kane", "Keller", "Kern", "Klee", "Koch", "Kovar", "Lake", "Lang", "Lark", "Lind", "Lopes"],
  ...["Lund", "Maas", "Marsh", "Meyer", "Moss", "Mott", "Nagy", "Nash", "North", "Novak", "Oaks", "Olsen"],
  ...["Orr", "Palm", "Pease", "Pike", "Quist", "Rana", "Reed", "Reyes", "Ridge", "Rios", "Roth", "Sand"],
  ...["Sato", "Shaw", "Silva", "Sorel", "Stark", "Stone", "Sund", "Thorn", "Tran", "Urban", "Vale", "Vega"],
  ...["Vogel", "Wald", "Weber", "Wells", "West", "Wood", "Young", "Zeller", "Ziegler"],
];

/** Parts of the grounds that channels of a large demo are about. */
export const AREAS: readonly string[] = [
  ...["north field", "south field", "east field", "west field", "lower orchard", "upper orchard", "hillside"],
  ...[
    "riverbank",
    "old quarry",
    "walled garden",
    "glasshouse",
    "nursery",
    "meadow",
    "woodland edge",
    "terrace",
  ],
  ...["rooftop", "schoolyard", "mill yard", "station garden", "canal plots", "harbor plots", "market square"],
  ...["chapel garden", "railway strip", "ring road beds", "park border", "library court", "clinic garden"],
  ...["fire lane", "bakery yard", "brewery yard", "old airfield", "pump house", "boathouse", "bridge beds"],
  ...["cemetery edge", "castle moat", "vineyard", "hop garden", "sand pit"],
];

/** Subjects that channels of a large demo are about. */
export const SUBJECTS: readonly string[] = [
  ...[
    "apples",
    "beans",
    "beehives",
    "berries",
    "bulbs",
    "cabbages",
    "carrots",
    "compost",
    "fences",
    "flowers",
  ],
  ...["garlic", "herbs", "irrigation", "lettuce", "mulch", "onions", "paths", "peas", "potatoes", "pumpkins"],
  ...["roses", "seedlings", "squash", "tomatoes", "trees"],
];

/** Greatest numbers of people and channels whose names differ. */
export const MAX_CROWD = {
  people: FIRST_NAMES.length * LAST_NAMES.length,
  channels: AREAS.length * SUBJECTS.length,
} as const;
