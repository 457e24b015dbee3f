import { guardAddresses } from '../resources/webhooks/dispatch/address-guard.ts'
import { type Dispatcher, type DispatcherParts, openDispatcher } from '../resources/webhooks/dispatch/dispatcher.ts'
import { openOutbound } from '../resources/webhooks/dispatch/http-client.ts'
import type { Config } from './config.ts'
import type { Core } from './installation.ts'
import { represent } from './representations.ts'

/** Puts together what sends webhooks: the log, the things that it tells of, and the one door to the outside. */
export function dispatching(
  { db, engine, perform, context, observations }: Core,
  { webhookAllow }: Pick<Config, 'webhookAllow'>,
): Dispatcher {
  const clock = () => context.now().getTime()
  const outbound = openOutbound({ guard: guardAddresses(webhookAllow), clock })
  const representKept: DispatcherParts['represent'] = async (projectId, id) => {
    const thing = await represent(db, projectId, id)
    await engine.durability?.flush()
    return thing
  }
  return openDispatcher({ db, engine, perform, observations, outbound, clock, represent: representKept })
}
