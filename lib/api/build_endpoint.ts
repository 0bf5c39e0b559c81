import type { Context } from "fresh";
import type { Allowance } from "../services/rate_limit.ts";
import type { State } from "../services/services.ts";
import { setAllowance } from "./request_limits.ts";

/** Remaining requests of the strictest limit; null when nothing was counted. */
export interface Meter {
  allowance: Allowance | null;
}

/**
 * Steps in which the two APIs differ: how callers are identified and counted, how input is read, and which
 * envelope a response has.
 */
export interface Protocol<Spec, Caller, Call, Result> {
  /** Identifies the caller and counts the request in `meter`, before anything of the body is read. */
  readonly admit: (ctx: Context<State>, spec: Spec, meter: Meter) => Promise<Caller> | Caller;
  /** Reads and validates the input of the action. */
  readonly readCall: (ctx: Context<State>, spec: Spec, caller: Caller) => Promise<Call> | Call;
  /** Converts the result of the action to a response. */
  readonly toResponse: (result: Result, spec: Spec, call: Call) => Response;
  /** Converts an error to a response, or throws it for the middleware to convert. */
  readonly toRefusal: (error: unknown, meter: Meter) => Response;
}

/** Creates the handler of an endpoint of either API: admits the caller, reads the input and runs the action. */
export function buildEndpoint<Spec, Caller, Call, Result>(
  { admit, readCall, toResponse, toRefusal }: Protocol<Spec, Caller, Call, Result>,
  spec: Spec,
  action: (call: Call) => Result | Promise<Result>,
): (ctx: Context<State>) => Promise<Response> {
  return async (ctx) => {
    const meter: Meter = { allowance: null };
    let response: Response;
    try {
      const call = await readCall(ctx, spec, await admit(ctx, spec, meter));
      response = toResponse(await action(call), spec, call);
    } catch (error) {
      response = toRefusal(error, meter);
    }
    if (meter.allowance !== null) setAllowance(response.headers, ctx.state.app, meter.allowance);
    return response;
  };
}
