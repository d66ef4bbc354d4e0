import CoreDataValues

/// What a server does in a zone, as functions of the zone's rows and a request.
package struct ZoneServer: Sendable {
    package let schema: SyncSchema
    /// The ID that those are made of as which the server writes what its rules decide.
    private let replica: ReplicaID
    package var limits = Limits()
    /// What the caller of the request may do.
    package var policy = ChangePolicy()

    package struct Limits: Hashable, Sendable {
        /// How far ahead of the zone's clock a stamp may lie, in milliseconds.
        package var ahead: UInt64 = 5000
        /// How far the server's clock may be behind what devices have received before it was restored.
        package var behind: UInt64 = 366 * 86_400_000
        /// How often the rules may look at an object in one push.
        package var steps = 10_000
        /// The changes of one push.
        package var changes = 1000
        /// The items of a page.
        package var page = 1000
        /// The tasks of a zone, the bytes of the name of one, and the milliseconds for which one is taken.
        package var tasks = 100
        package var taskName = 200
        package var task: UInt64 = 3_600_000

        package init() {}
    }

    package init(schema: SyncSchema, replica: ReplicaID) {
        self.schema = schema
        self.replica = replica
    }

    /// Answers a request. The storage is changed by pushes and tasks alone, and only if these are not
    /// refused.
    ///
    /// - Throws: Errors of the storage.
    package func answer<Storage: ZoneStorage>(
        _ request: SyncRequest, _ storage: inout Storage, milliseconds: UInt64
    ) throws -> SyncResponse {
        do {
            let answer: SyncAnswer =
                switch request {
                case .push(let request): .push(try push(request, &storage, milliseconds: milliseconds))
                case .pull(let request): .pull(try pull(request, storage))
                case .snapshot(let request): .snapshot(try snapshot(request, storage))
                case .reconcile(let request): .reconcile(try reconcile(request, storage))
                case .task(let request): .task(try task(request, &storage, milliseconds: milliseconds))
                }
            return SyncResponse(answer, milliseconds: milliseconds)
        } catch let refusal as Refusal {
            return SyncResponse(.refused(refusal), milliseconds: milliseconds)
        }
    }

    /// Returns the replica as which the server writes in an epoch: another one in each, since a clock that went back with
    /// a backup may give a time again that it gave before.
    package func replica(in epoch: UInt64) -> ReplicaID {
        ReplicaID(high: replica.high, low: replica.low ^ epoch)
    }

    func check(epoch: UInt64, _ storage: some ZoneStorage) throws {
        guard epoch == storage.header.epoch else { throw Refusal.epoch(storage.header.epoch) }
    }
}

/// The proof that a push was taken: a hash of the receipt before it and of the push.
enum PushReceipt {
    static func receipt(of request: PushRequest) -> [UInt8] {
        // What the device has received meanwhile makes it no other push.
        var request = request
        request.received = .zero
        let bytes = CBORWriter.bytes(of: SyncRequest.push(request).wire)
        return Array(SHA2.sha256(bytes).prefix(16))
    }
}
