import { frequentWorkersOf, hourlyWorkersOf, type Services } from "../services/services.ts";

/** Registers work that the platform starts at the times of a schedule, also while no process serves. */
export type RegisterCron = (name: string, schedule: string, work: () => Promise<void>) => unknown;

/**
 * Lets a platform that ends idle processes start the background work: every minute what is due, and every hour
 * what can wait. Does nothing where the platform has no schedules, which `register` then is undefined for. Work
 * that another process does at the same time is done once, as by several servers.
 */
export function registerBackgroundWork(services: Services, register: RegisterCron | undefined): void {
  register?.("due work", "* * * * *", async () => {
    const sweeps = frequentWorkersOf(services).map((worker) => worker.sweep());
    await Promise.all([...sweeps, services.links.compactor.catchUp()]);
  });
  register?.("hourly work", "17 * * * *", async () => {
    await Promise.all(hourlyWorkersOf(services).map((worker) => worker.sweep()));
  });
}
