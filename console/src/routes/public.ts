import { loadPlain, loadWithRetry } from "../ui/load-with-retry.ts";
import { isGiven, text, textOf } from "../ui/page/search.ts";
import type { Route } from "../ui/router/router.ts";
import { lazyScreen } from "../ui/router/screen.tsx";
import {
  type Context,
  hideAnswer,
  hideLink,
  hideSecret,
  redirectRegistered,
  redirectSignedIn,
  redirectWithoutToken,
  requireOnboarding,
  requireUser,
} from "./entry-guards.ts";
import { screenWith } from "./page.ts";
import { Frame, FrameFailure } from "./shell/frame.tsx";

/** Pages before sign-in. */
const entryRoutes: readonly Route<Context>[] = [
  {
    path: "/index",
    screen: lazyScreen(() => loadPlain(() => import("../landing/index-screen.tsx")), "IndexScreen"),
  },
  {
    path: "/login",
    guard: redirectSignedIn,
    screen: lazyScreen(() => loadPlain(() => import("../features/accounts/entry/login.tsx")), "LoginScreen"),
  },
  {
    path: "/sso",
    guard: hideAnswer,
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/entry/provider-return.tsx")),
      "ProviderReturnScreen",
    ),
  },
  {
    path: "/firstOwner",
    guard: hideSecret("secret"),
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/entry/first-owner.tsx")),
      "FirstOwnerScreen",
    ),
  },
  {
    path: "/agreement",
    screen: screenWith(
      { type: text },
      () => loadWithRetry(() => import("../landing/agreement-screen.tsx")),
      "AgreementScreen",
    ),
  },
  {
    path: "/outbox",
    screen: lazyScreen(() => loadWithRetry(() => import("../landing/outbox-screen.tsx")), "OutboxScreen"),
  },
];

/** Pages of mailed links: registration, password reset, and consent to alerts. */
const mailRoutes: readonly Route<Context>[] = [
  {
    path: "/register",
    guard: redirectRegistered,
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/registration/register.tsx")),
      "RegisterScreen",
    ),
  },
  {
    path: "/loginEmail",
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/by-mail/mail-sent.tsx")),
      "RegistrationSentScreen",
    ),
  },
  {
    path: "/confirm",
    guard: hideSecret("accessToken"),
    screen: lazyScreen(() => loadWithRetry(() => import("../features/accounts/by-mail/confirm.tsx")), "ConfirmScreen"),
  },
  {
    path: "/contact",
    guard: hideSecret("accessToken"),
    screen: screenWith(
      { stop: text },
      () => loadWithRetry(() => import("../features/accounts/by-mail/contact-request.tsx")),
      "ContactScreen",
    ),
  },
  {
    path: "/resetPassword",
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/by-mail/reset-password.tsx")),
      "ResetPasswordScreen",
    ),
  },
  {
    path: "/resetPasswordEmail",
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/by-mail/mail-sent.tsx")),
      "ResetSentScreen",
    ),
  },
  {
    path: "/forgetEdit",
    guard: hideSecret("accessToken"),
    screen: screenWith(
      { set: isGiven },
      () => loadWithRetry(() => import("../features/accounts/by-mail/new-password.tsx")),
      "NewPasswordScreen",
    ),
  },
];

const linkedAlert = lazyScreen(
  () => loadWithRetry(() => import("./screens/linked-alert-screen.tsx")),
  "LinkedAlertScreen",
);

/** The link of an alert's message. */
const linkRoutes: readonly Route<Context>[] = [
  { path: "/c/$link", guard: hideLink, screen: linkedAlert },
  { path: "/c", screen: linkedAlert },
];

/** Sign-in by an address: with a support token, or with a session's token. */
const tokenRoutes: readonly Route<Context>[] = [
  {
    path: "/adminLogin",
    screen: screenWith(
      { token: textOf },
      () => loadWithRetry(() => import("../features/accounts/entry/token-entry.tsx")),
      "SupportEntry",
    ),
  },
  {
    path: "/dashboard",
    guard: redirectWithoutToken,
    screen: screenWith(
      { accessToken: textOf },
      () => loadWithRetry(() => import("../features/accounts/entry/token-entry.tsx")),
      "TokenEntry",
    ),
  },
];

/** Onboarding right after the first sign-in: no menu yet. */
const onboardingRoutes: readonly Route<Context>[] = [
  {
    path: "/personalInformation",
    guard: requireOnboarding,
    pending: Frame,
    failure: FrameFailure,
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/accounts/registration/personal-information.tsx")),
      "PersonalInformationScreen",
    ),
  },
  {
    path: "/personalInformationCreated",
    guard: requireUser,
    pending: Frame,
    failure: FrameFailure,
    screen: lazyScreen(() => loadWithRetry(() => import("./screens/onboarding-done.tsx")), "OnboardingDoneScreen"),
  },
];

/** All screens without the menu around them. */
export const publicRoutes: readonly Route<Context>[] = [
  ...entryRoutes,
  ...mailRoutes,
  ...linkRoutes,
  ...tokenRoutes,
  ...onboardingRoutes,
];
