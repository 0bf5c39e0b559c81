import DetectTimeZone from "@/islands/account/DetectTimeZone.tsx";
import { FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { AccountSection } from "./AccountSection.tsx";

interface TimeZoneSectionProps {
  /** IANA name; empty for UTC. */
  readonly timeZone: string;
  /** IANA names that can be chosen. */
  readonly timeZones: readonly string[];
}

/** Renders the section that sets the time zone of the user's pages. */
export function TimeZoneSection({ timeZone, timeZones }: TimeZoneSectionProps) {
  return (
    <AccountSection
      id="time-zone"
      title="Time zone"
      text="Dates and times on these pages use this time zone."
    >
      <form method="post" action="/account" class="grid gap-5">
        <div class="grid gap-y-1.5">
          <label for="timezone" class={FIELD_LABEL}>Time zone</label>
          <select id="timezone" name="timezone" class={TEXT_FIELD}>
            <option value="" selected={timeZone === ""}>UTC</option>
            {timeZones.map((zone) => (
              <option key={zone} value={zone} selected={zone === timeZone}>
                {zone.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </div>
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <button type="submit" name="action" value="timezone" class={QUIET_BUTTON}>Save time zone</button>
          <DetectTimeZone fieldId="timezone" />
        </div>
      </form>
    </AccountSection>
  );
}
