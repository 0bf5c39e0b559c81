import { type ComponentType, h, render } from "preact";
import {
  findIslands,
  hasSignals,
  type IslandMarker,
  revive,
  rootBetween,
  SlotContent,
  type SlotSource,
  takeSlots,
} from "./revive.ts";

type Props = Record<string, unknown>;

/** Starts the islands of the page, with their props as the server wrote them. */
export async function boot(components: Record<string, ComponentType<Props>>, data: string): Promise<void> {
  const signals = hasSignals(data) ? await import("@preact/signals") : null;
  const markers = findIslands(document.body);
  const slots = takeSlots(document.body);
  const source: SlotSource = {
    nodesOf: (id) => slots.get(id) ?? [],
    elementOf,
    vnodes: new Map(),
  };
  const allProps = revive(data, {
    slot: (id) => h(SlotContent, { id, source }),
    signals,
  }) as Props[];

  function elementOf({ name, index }: IslandMarker) {
    const component = components[name];
    return component === undefined ? null : h(component, allProps[index] ?? {});
  }

  for (const marker of markers) {
    const container = rootBetween(marker.start, marker.end);
    try {
      render(elementOf(marker), container);
    } catch (error) {
      reportError(error);
    }
  }
}
