import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { loadWithRetry } from "../ui/load-with-retry.ts";
import { isGiven, text, textOf } from "../ui/page/search.ts";
import {
  hideLink,
  hideSecret,
  redirectRegistered,
  redirectSignedIn,
  requireOnboarding,
  requireUser,
} from "./entry-guards.ts";
import { screenWith } from "./page.ts";
import { root } from "./root-route.ts";
import { Frame, FrameFailure } from "./shell/frame.tsx";

const getParentRoute = () => root;

/** Pages before sign-in. */
const entryRoutes = [
  createRoute({
    getParentRoute,
    path: "/index",
    component: lazyRouteComponent(() => loadWithRetry(() => import("../landing/index-screen.tsx")), "IndexScreen"),
  }),
  createRoute({
    getParentRoute,
    path: "/login",
    beforeLoad: redirectSignedIn,
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/entry/login.tsx")),
      "LoginScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/firstOwner",
    beforeLoad: hideSecret("secret"),
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/entry/first-owner.tsx")),
      "FirstOwnerScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/agreement",
    component: screenWith(
      { type: text },
      () => loadWithRetry(() => import("../landing/agreement-screen.tsx")),
      "AgreementScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/outbox",
    component: lazyRouteComponent(() => loadWithRetry(() => import("../landing/outbox-screen.tsx")), "OutboxScreen"),
  }),
];

/** Pages of mailed links: registration, password reset, and consent to alerts. */
const mailRoutes = [
  createRoute({
    getParentRoute,
    path: "/register",
    beforeLoad: redirectRegistered,
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/registration/register.tsx")),
      "RegisterScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/loginEmail",
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/by-mail/mail-sent.tsx")),
      "RegistrationSentScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/confirm",
    beforeLoad: hideSecret("accessToken"),
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/by-mail/confirm.tsx")),
      "ConfirmScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/contact",
    beforeLoad: hideSecret("accessToken"),
    component: screenWith(
      { stop: text },
      () => loadWithRetry(() => import("../features/accounts/by-mail/contact-request.tsx")),
      "ContactScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/resetPassword",
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/by-mail/reset-password.tsx")),
      "ResetPasswordScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/resetPasswordEmail",
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/by-mail/mail-sent.tsx")),
      "ResetSentScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/forgetEdit",
    beforeLoad: hideSecret("accessToken"),
    component: screenWith(
      { set: isGiven },
      () => loadWithRetry(() => import("../features/accounts/by-mail/new-password.tsx")),
      "NewPasswordScreen",
    ),
  }),
];

/** The link of an alert's message. */
const linkRoutes = [
  createRoute({ getParentRoute, path: "/c/$link", beforeLoad: hideLink }),
  createRoute({
    getParentRoute,
    path: "/c",
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("./screens/linked-alert-screen.tsx")),
      "LinkedAlertScreen",
    ),
  }),
];

/** Sign-in by an address: with a support token, or with a session's token. */
const tokenRoutes = [
  createRoute({
    getParentRoute,
    path: "/adminLogin",
    component: screenWith(
      { token: textOf },
      () => loadWithRetry(() => import("../features/accounts/entry/token-entry.tsx")),
      "SupportEntry",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/dashboard",
    component: screenWith(
      { accessToken: textOf },
      () => loadWithRetry(() => import("../features/accounts/entry/token-entry.tsx")),
      "TokenEntry",
    ),
  }),
];

/** Onboarding right after the first sign-in: no menu yet. */
const onboardingRoutes = [
  createRoute({
    getParentRoute,
    path: "/personalInformation",
    beforeLoad: requireOnboarding,
    pendingComponent: Frame,
    errorComponent: FrameFailure,
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("../features/accounts/registration/personal-information.tsx")),
      "PersonalInformationScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/personalInformationCreated",
    beforeLoad: requireUser,
    pendingComponent: Frame,
    errorComponent: FrameFailure,
    component: lazyRouteComponent(
      () => loadWithRetry(() => import("./screens/onboarding-done.tsx")),
      "OnboardingDoneScreen",
    ),
  }),
];

/** All screens without the menu around them. */
export const publicRoutes = [...entryRoutes, ...mailRoutes, ...linkRoutes, ...tokenRoutes, ...onboardingRoutes];
