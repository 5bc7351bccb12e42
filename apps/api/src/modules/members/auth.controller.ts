import {
  type Me,
  meSchema,
  type SignedIn,
  setupBodySchema,
  setupStateSchema,
  signedInSchema,
  signInBodySchema,
} from '@gantry/contracts';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import type { z } from 'zod';
import { ValidBody } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { type Caller, Ctx, type RequestContext } from '../../common/http/request-context.js';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';

@Controller('api/v1')
export class AuthController {
  constructor(
    @Inject(SetupService) private readonly setup: SetupService,
    @Inject(SignInService) private readonly signIns: SignInService,
  ) {}

  @Get('setup')
  @Operation({
    summary: 'Tell whether the first operator is missing',
    access: 'public',
    answers: { 200: setupStateSchema },
  })
  async setupState(): Promise<{ needed: boolean }> {
    return { needed: await this.setup.needed() };
  }

  @Post('setup')
  @HttpCode(201)
  @Operation({
    summary: 'Create the first operator with the admin token, and sign in',
    access: 'public',
    body: setupBodySchema,
    answers: { 201: signedInSchema },
  })
  setUp(@Ctx() from: RequestContext, @ValidBody() body: z.infer<typeof setupBodySchema>): Promise<SignedIn> {
    return this.setup.setUp(body, from);
  }

  @Post('auth/sign-in')
  @HttpCode(200)
  @Operation({
    summary: 'Sign in with e-mail address and password',
    access: 'public',
    body: signInBodySchema,
    answers: { 200: signedInSchema },
  })
  signIn(@Ctx() from: RequestContext, @ValidBody() body: z.infer<typeof signInBodySchema>): Promise<SignedIn> {
    return this.signIns.signIn(body.email, body.password, from);
  }

  @Post('auth/sign-out')
  @HttpCode(204)
  @Operation({ summary: 'End your console session', access: 'signed-in', answers: { 204: null } })
  signOut(@Ctx() caller: Caller): Promise<void> {
    return this.signIns.signOut(caller);
  }

  @Get('me')
  @Operation({
    summary: 'Tell who you are and where you are a member',
    access: 'signed-in',
    answers: { 200: meSchema },
  })
  me(@Ctx() { principal }: Caller): Me {
    if (principal.kind !== 'user') return { kind: principal.kind, id: principal.id, tenants: [] };
    const { id, email, name, platformRole, memberships } = principal;
    return {
      kind: 'user',
      id,
      email,
      name,
      ...(platformRole === undefined ? {} : { platformRole }),
      tenants: [...memberships.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    };
  }
}
