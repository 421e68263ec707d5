import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../ui/load-part.ts";
import { isGiven, text, words } from "../ui/page/search.ts";
import { hideSecret, passRegistered, passSignedIn, requireStranger, requireUser } from "./entry-guards.ts";
import { screenWith } from "./page.ts";
import { root } from "./root-route.ts";
import { Frame, FrameFailure } from "./shell/frame.tsx";

const getParentRoute = () => root;

/** Before one is signed in. */
const entrance = [
  createRoute({
    getParentRoute,
    path: "/index",
    component: lazyRouteComponent(() => loadPart(() => import("../landing/index-screen.tsx")), "IndexScreen"),
  }),
  createRoute({
    getParentRoute,
    path: "/login",
    beforeLoad: passSignedIn,
    component: lazyRouteComponent(() => loadPart(() => import("../features/accounts/entry/login.tsx")), "LoginScreen"),
  }),
  createRoute({
    getParentRoute,
    path: "/firstOwner",
    beforeLoad: hideSecret("secret"),
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/entry/first-owner.tsx")),
      "FirstOwnerScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/agreement",
    component: screenWith(
      { type: text },
      () => loadPart(() => import("../landing/agreement-screen.tsx")),
      "AgreementScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/outbox",
    component: lazyRouteComponent(() => loadPart(() => import("../landing/outbox-screen.tsx")), "OutboxScreen"),
  }),
];

/** Becoming a user, a forgotten password, and whether one wants alerts. */
const byMail = [
  createRoute({
    getParentRoute,
    path: "/register",
    beforeLoad: passRegistered,
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/registration/register.tsx")),
      "RegisterScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/loginEmail",
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/by-mail/mail-sent.tsx")),
      "RegistrationSentScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/confirm",
    beforeLoad: hideSecret("accessToken"),
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/by-mail/confirm.tsx")),
      "ConfirmScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/contact",
    beforeLoad: hideSecret("accessToken"),
    component: screenWith(
      { stop: text },
      () => loadPart(() => import("../features/accounts/by-mail/contact-request.tsx")),
      "ContactScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/resetPassword",
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/by-mail/reset-password.tsx")),
      "ResetPasswordScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/resetPasswordEmail",
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/by-mail/mail-sent.tsx")),
      "ResetSentScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/forgetEdit",
    beforeLoad: hideSecret("accessToken"),
    component: screenWith(
      { set: isGiven },
      () => loadPart(() => import("../features/accounts/by-mail/new-password.tsx")),
      "NewPasswordScreen",
    ),
  }),
];

/** Signing in by an address: with a support token, or with a session's token. */
const byAddress = [
  createRoute({
    getParentRoute,
    path: "/adminLogin",
    component: screenWith(
      { token: words },
      () => loadPart(() => import("../features/accounts/entry/token-entry.tsx")),
      "SupportEntry",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/dashboard",
    component: screenWith(
      { accessToken: words },
      () => loadPart(() => import("../features/accounts/entry/token-entry.tsx")),
      "TokenEntry",
    ),
  }),
];

/** Right after the first sign-in: no menu yet. */
const introduction = [
  createRoute({
    getParentRoute,
    path: "/personalInformation",
    beforeLoad: requireStranger,
    pendingComponent: Frame,
    errorComponent: FrameFailure,
    component: lazyRouteComponent(
      () => loadPart(() => import("../features/accounts/registration/personal-information.tsx")),
      "PersonalInformationScreen",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/personalInformationCreated",
    beforeLoad: requireUser,
    pendingComponent: Frame,
    errorComponent: FrameFailure,
    component: lazyRouteComponent(() => loadPart(() => import("./screens/onboarding-done.tsx")), "IntroducedScreen"),
  }),
];

/** Every screen without the menu around it. */
export const publicRoutes = [...entrance, ...byMail, ...byAddress, ...introduction];
