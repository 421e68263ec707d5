import type { Plugin } from "vite";

/** Functions of React DOM by what each answers while nothing of a feature is on the page. */
interface Feature {
  nothing: string;
  null?: string;
  /** Answer false. */
  no?: string;
}

/** `<ViewTransition>`. */
const viewTransitions: Feature = {
  nothing: `commitAfterMutationEffectsOnFiber commitAppearingPairViewTransitions commitDeletedPairViewTransitions
    commitEnterViewTransitions commitExitViewTransitions commitNestedViewTransitions flushAfterMutationEffects
    measureNestedViewTransitions reportViewTransitionError restoreEnterOrExitViewTransitions restoreNestedViewTransitions
    restorePairedViewTransitions restoreViewTransitionName restoreViewTransitionOnHostInstances
    scheduleViewTransitionEvent trackEnterViewTransitions`,
  null: `createViewTransitionInstance getViewTransitionClassName getViewTransitionName
    pushViewTransitionCancelableScope startViewTransition`,
  no: "applyViewTransitionToHostInstances measureViewTransitionHostInstancesRecursive",
};

/** `<Fragment ref>`. */
const fragmentRefs: Feature = {
  nothing: `addFragmentHandleToFiber commitFragmentInstanceDeletionEffects commitFragmentInstanceInsertionEffects
    commitNewChildToFragmentInstance commitNewChildToFragmentInstances deleteChildFromFragmentInstance`,
};

/** `hydrateRoot`: pages that a server has rendered. */
const hydration: Feature = {
  nothing: `attemptContinuousHydration attemptExplicitHydrationTarget attemptHydrationAtCurrentPriority
    clearHydrationBoundary clearIfContinuousEvent commitActivityHydrationCallbacks commitSuspenseHydrationCallbacks
    hideOrUnhideDehydratedBoundary markRetryLaneIfNotHydrated prepareToHydrateHostInstance
    pushDehydratedActivitySuspenseHandler queueHydrationError registerSuspenseInstanceRetry resetHydrationState
    retryDehydratedSuspenseBoundary retryIfBlockedOn scheduleReplayQueueIfNeeded throwOnHydrationMismatch`,
  null: `canHydrateHydrationBoundary canHydrateInstance canHydrateTextInstance createFiberFromDehydratedFragment
    getNextHydratable getNextHydratableInstanceAfterHydrationBoundary getParentHydrationBoundary
    mountHostRootWithoutHydrating retryActivityComponentWithoutHydrating retrySuspenseComponentWithoutHydrating
    updateDehydratedSuspenseComponent upgradeHydrationErrorsToRecoverable`,
  no: "popHydrationState queueIfContinuousEvent",
};

/** `preload`, `preinit` and the like, `useActionState` with actions of forms, and `<SuspenseList>`. */
const others: Feature = {
  nothing: `cutOffTailIfNeeded dispatchActionState initSuspenseListRenderState preconnect preconnectAs prefetchDNS
    preinitModuleScript preinitScript preinitStyle preload preloadModule startHostTransition`,
  null: `mountActionState rerenderActionState updateActionState updateActionStateImpl updateSuspenseListComponent`,
};

/** What is no function, and what is left of it. */
const texts: readonly (readonly [text: RegExp, left: string])[] = [
  [/^(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\.\w+ = function \(.*?^\};\n/gms, ""],
  [/\bshouldStartViewTransition\b(?!\s*=[^=])/g, "!1"],
  // A parameter of the same name.
  [/(?<=^function initInput\((?:(?!^\}).)*)\bisHydrating\b/gms, "hydrates"],
  [/\bisHydrating\b(?!\$|\s*=[^=])/g, "!1"],
  [/^exports\.hydrateRoot = function .*?^\};\n/ms, ""],
  [/^ReactDOMHydrationRoot\.prototype\.unstable_scheduleHydration = function .*?^\};\n/ms, ""],
  [/ReactDOMHydrationRoot\.prototype\.(?:render|unmount) = /g, ""],
];

const answers: Readonly<Record<keyof Feature, string>> = { nothing: "", null: " return null; ", no: " return !1; " };

const replaced = (code: string, text: RegExp, left: string): string => {
  if (code.search(text) < 0) throw new Error(`React DOM has no ${text}: see what react-dom-parts.ts can leave out`);
  return code.replace(text, left);
};

/** The functions of a feature with the answers of one kind, without what they do. */
const emptied = (code: string, names: string | undefined, answer: string): string =>
  (names?.split(/\s+/) ?? []).reduce(
    (left, name) =>
      replaced(left, new RegExp(`^function ${name}\\((.*?)\\) \\{.*?^\\}`, "ms"), `function ${name}($1) {${answer}}`),
    code,
  );

/**
 * Leaves out of the console's build the features of React DOM that no page of it uses, a fifth of its size. They are not modules of their own, and every
 * commit asks for them, so no bundler can tell. Their functions answer here what they answer while nothing of the feature is on the page; what only
 * they used is then left out by the bundler. With a version of React that is built otherwise the build fails. Who needs one of the
 * features takes it out of these lists.
 */
export const reactDomParts = (): Plugin => ({
  name: "react-dom-parts",
  apply: "build",
  transform: {
    filter: { id: /react-dom\/cjs\/react-dom-client\.production\.js$/ },
    handler(code) {
      const withTexts = texts.reduce((left, [text, instead]) => replaced(left, text, instead), code);
      return [viewTransitions, fragmentRefs, hydration, others].reduce((left, feature) => {
        const withoutNothing = emptied(left, feature.nothing, answers.nothing);
        const withoutNull = emptied(withoutNothing, feature.null, answers.null);
        return emptied(withoutNull, feature.no, answers.no);
      }, withTexts);
    },
  },
});
