import type { Input } from "@telltale/contract/call/call";
import type { ReactNode } from "react";
import type { AnyCall } from "../session/use-call.ts";
import { useConfirmedAction } from "./use-confirmed-action.tsx";

interface Removal<Subject, C extends AnyCall> {
  call: C;
  inputOf: (subject: Subject) => Partial<Input<C>>;
  /** Calls whose answers are stale afterwards. */
  invalidates: readonly AnyCall[];
  title: string;
  /** The question, and below it the consequences. */
  question: (subject: Subject) => ReactNode;
}

/** Asks for confirmation before something is deleted. (spec 2 §8) */
export const useRemoval = <Subject, C extends AnyCall>({ title, ...removal }: Removal<Subject, C>) =>
  useConfirmedAction({ ...removal, success: "Delete successful", title: () => title, action: () => "Delete" });
