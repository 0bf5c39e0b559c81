/** Name of the organization. */
export const ORGANIZATION = "Larkspur Community Garden";
/** Domain of the organization's addresses; nobody owns it. */
const DOMAIN = "larkspur.example";

/** Numbers of the roles in the API. */
export const ROLES = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;
/** Name of a role. */
export type RoleName = keyof typeof ROLES;

/** A person of the demo. */
export interface Person {
  /** Name by which the content refers to them, and the start of their address. */
  readonly key: string;
  readonly name: string;
  readonly role: RoleName;
  /** IANA name of the time zone. */
  readonly zone: string;
}

/** Returns the address of a person. */
export function emailOf(key: string): string {
  return `${key}@${DOMAIN}`;
}

const NEW_YORK = "America/New_York";
const CHICAGO = "America/Chicago";

type Row = readonly [key: string, name: string, role: RoleName, zone: string];

const ROWS: readonly Row[] = [
  ["maren", "Maren Holt", "owner", NEW_YORK],
  ["tomas", "Tomás Arrebola", "owner", NEW_YORK],
  ["priya", "Priya Sandhar", "admin", NEW_YORK],
  ["jonah", "Jonah Whitlow", "admin", CHICAGO],
  ["yuki", "白石 優希", "admin", "Asia/Tokyo"],
  ["lucia", "Lucia Ferrante", "admin", "Europe/Rome"],
  ["samir", "سمير الحداني", "moderator", "Africa/Cairo"],
  ["greta", "Greta Lindqvist-Ås", "moderator", "Europe/Stockholm"],
  ["kofi", "Kofi Boaten", "moderator", "Africa/Accra"],
  ["noa", "נועה ברקן", "moderator", "Asia/Jerusalem"],
  ["delia", "Delia Marsh", "moderator", CHICAGO],
  ["aiko", "田辺 愛子", "member", "Asia/Tokyo"],
  ["owen", "Owen Darrow", "member", NEW_YORK],
  ["anastasia", "Анастасия Лугова", "member", "Europe/Berlin"],
  ["eleni", "Ελένη Καρρά", "member", "Europe/Athens"],
  ["min", "강민아", "member", "Asia/Seoul"],
  ["lan", "蓝若溪", "member", "Asia/Shanghai"],
  ["farid", "فرید کاوه‌نژاد", "member", "Asia/Tehran"],
  ["ravi", "रवि कुलश्रेष्ठ", "member", "Asia/Kolkata"],
  ["thida", "ธิดา แสงทอง", "member", "Asia/Bangkok"],
  ["nino", "ნინო ქარელი", "member", "Asia/Tbilisi"],
  ["ani", "Անի Սարեան", "member", "Asia/Yerevan"],
  ["selam", "ሰላም ወንድማገኝ", "member", "Africa/Addis_Ababa"],
  ["tamil", "தமிழரசி மணிவேல்", "member", "Asia/Colombo"],
  ["bao", "Bảo Trần Thục Quyên", "member", "Asia/Ho_Chi_Minh"],
  ["ruta", "Rūta Žemgulytė", "member", "Europe/Vilnius"],
  ["bjork", "Sóldís Hrafnkelsdóttir", "member", "Atlantic/Reykjavik"],
  ["ngozi", "Ngozi Adéwálé-Okoro", "member", "Africa/Lagos"],
  ["kai", "Kaʻiulani Makoa", "member", "Pacific/Honolulu"],
  ["ivo", "Иво Драгнев", "member", "Europe/Sofia"],
  ["zofia", "Zofia Wiśnicka-Górska", "member", "Europe/Warsaw"],
  ["wolf", "Hubertus Wolf-Dietrich von Ahrensburg-Lichtenfels zu Tannhain", "member", "Europe/Berlin"],
  ["maria", "María de los Ángeles Fuentes Villaseñor de la Garza", "member", "America/Mexico_City"],
  ["joao", "João Pinhal", "member", "America/Sao_Paulo"],
  ["li", "Li", "member", "Asia/Singapore"],
  ["hedda", "Hedda Brakstad", "member", "Europe/Oslo"],
  ["cormac", "Cormac O’Dunleavy", "member", "Europe/Dublin"],
  ["sunniva", "Sunniva Marchbanks", "member", NEW_YORK],
  ["amina", "Amina Jallow", "member", "Africa/Banjul"],
  ["pavel", "Pavel Hořejš", "member", "Europe/Prague"],
  ["zahra", "زهرا بن یوسف", "member", "Africa/Casablanca"],
  ["elsa", "Elsa Quaintance", "member", "America/Denver"],
  ["theo", "Theo Brandywine", "member", NEW_YORK],
  ["ines", "Inês Carvalhal", "member", "Europe/Lisbon"],
  ["milo", "Milo Hathersage", "member", NEW_YORK],
  ["ruth", "Ruth Pemberlow", "member", CHICAGO],
  ["dara", "Dara Whitcombe", "guest", NEW_YORK],
  ["felix", "Félix Montclar", "guest", "America/Toronto"],
  ["orla", "Orla Fennimore", "guest", NEW_YORK],
  ["hana", "はな みどり", "guest", "Asia/Tokyo"],
  ["yael", "יעל שדה־לבן", "guest", "Asia/Jerusalem"],
  ["bram", "Bram Oosterlaken", "guest", "Europe/Amsterdam"],
];

/** People whom the owner adds, the owner first. */
export const PEOPLE: readonly Person[] = ROWS.map(toPerson);

/** People who accept an invitation. */
export const JOINERS: readonly Person[] = ([
  ["noor", "Noor Ramany", "member", "Asia/Karachi"],
  ["hanna", "Hanna Virtala", "member", "Europe/Helsinki"],
  ["stefan", "Стефан Вукелић", "member", "Europe/Belgrade"],
  ["mei", "梅 雨晴", "member", "Asia/Taipei"],
  ["leila", "ليلى منصوري", "guest", "Africa/Tunis"],
  ["abel", "Abel Thistlewood", "member", NEW_YORK],
  ["paz", "Paz Olmedillo", "guest", "America/Santiago"],
  ["wren", "Wren Ashgrove", "member", CHICAGO],
] as const).map(toPerson);

/** Keys of people who left in the meantime. */
export const LEAVERS: readonly string[] = ["milo", "ruth", "bram"];

function toPerson([key, name, role, zone]: Row): Person {
  return { key, name, role, zone };
}
