import { Module } from '@nestjs/common';
import { NodeLease } from './node-lease.js';
import { NodeLeaseRepository } from './node-lease.repository.js';

@Module({ providers: [NodeLeaseRepository, NodeLease], exports: [NodeLease] })
export class NodesModule {}
