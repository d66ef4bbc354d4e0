internal import CoreDataSyncCore
internal import Foundation

/// The task that owns an engine: it takes one command after the other, sends what is to be sent, and sets the
/// timer.
struct SyncLoop: Sendable {
    enum Command: Sendable {
        case event(SyncEvent)
        /// A request got no answer.
        case failed(token: UInt64, any Error)
        /// The way leads to a zone of that whole name.
        case entered(zone: String)
        /// Tells when all edits until now are sent, and all news read.
        case sync(CheckedContinuation<Void, any Error>)
        /// Something the app asks or wants changed.
        case use(@Sendable (inout SyncEngine) async -> Void)
    }

    let commands: AsyncStream<Command>
    let inbox: AsyncStream<Command>.Continuation
    let transport: any SyncTransport
    let board: Board<SyncStatus>
    let issueBoard: Board<SyncIssues>
    let roleBoard: Board<SyncRole>
    let clock = SyncClock()

    init(
        _ transport: any SyncTransport, _ board: Board<SyncStatus>, _ issueBoard: Board<SyncIssues>,
        _ roleBoard: Board<SyncRole>
    ) {
        (commands, inbox) = AsyncStream.makeStream()
        self.transport = transport
        self.board = board
        self.issueBoard = issueBoard
        self.roleBoard = roleBoard
    }

    /// Runs until the inbox is closed.
    func run(_ first: SyncEngine) async {
        var state = State(engine: first)
        let news = Task { [inbox, transport] in
            for await _ in transport.news { inbox.yield(.event(.poke)) }
        }
        await handle(.start, &state)
        postIssues(&state)
        for await command in commands {
            switch command {
            case .event(let event): await handle(event, &state)
            case .failed(let token, let error):
                // What the machine does not wait for any more is no problem.
                if state.engine.machine.waits(for: token) { state.note(error) }
                await handle(.failed(token: token), &state)
            case .entered(let zone): await enter(zone, &state)
            case .sync(let continuation):
                state.waiting.append(continuation)
                if state.engine.machine.isIdle { await handle(.start, &state) }
            case .use(let body): await body(&state.engine)
            }
            postIssues(&state)
        }
        news.cancel()
        state.timer?.cancel()
        for waiting in state.waiting + state.running { waiting.resume(throwing: StoreSyncError.stopped) }
    }

    private struct State {
        var engine: SyncEngine
        var timer: Task<Void, Never>?
        var problem: String?
        /// The problem, if it is that the app is too old.
        var outdated: SyncOutdated?
        /// The zone to which the way leads, if it is not the one that the store is synced with.
        var otherZone: String?
        /// The numbers of the issues that were told.
        var issues: [UInt64]?
        /// Whether the store or the ledger's file refused something, so that the machine waits for its timer.
        var isStalled = false
        /// Those who wait for a cycle that has not begun, and for the one that runs.
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var running: [CheckedContinuation<Void, any Error>] = []

        /// Notes what went wrong.
        mutating func note(_ error: any Error) {
            problem = SyncFailure.reason(error)
            outdated = error as? SyncOutdated
        }
    }

    // MARK: Events

    private func handle(_ event: SyncEvent, _ state: inout State) async {
        if case .response = event { (state.problem, state.outdated) = (nil, nil) }
        state.isStalled = false
        let wasIdle = state.engine.machine.isIdle
        if state.engine.machine.isIdle, !state.waiting.isEmpty, event == .start {
            state.running += state.waiting
            state.waiting = []
        }
        do {
            var effects = try await state.engine.handle(event, at: clock.now)
            while !effects.isEmpty { effects = try await perform(effects, &state) }
        } catch {
            state.note(error)
            state.isStalled = true
        }
        if event == .time, !wasIdle, state.engine.machine.isIdle {
            (state.problem, state.outdated) = ("the server did not answer", nil)
        }
        finish(&state)
    }

    /// Performs effects, and returns those of the event that comes of one of them.
    private func perform(_ effects: [SyncEffect], _ state: inout State) async throws -> [SyncEffect] {
        var next: [SyncEffect] = []
        for effect in effects {
            post(effect, state)
            switch effect {
            case .send(let token, let request):
                send(token, request, state.engine)
                state.engine.noteSent(token, at: clock.now)
            case .wake, .report: break
            case .capture, .captureMore, .prepareImport, .commitImport, .findImport:
                guard let event = await event(of: effect, &state) else { continue }
                next += try await state.engine.handle(event, at: clock.now)
            }
        }
        return next
    }

    /// Returns what comes of an effect on the store. After an error the machine's timer repeats it.
    private func event(of effect: SyncEffect, _ state: inout State) async -> SyncEvent? {
        do {
            for name in state.engine.missingBlobs(of: effect) {
                guard let bytes = try await transport.download(name.text) else { continue }
                try state.engine.keep(bytes, as: name)
            }
            if let rejection = state.engine.rejection(of: effect) { return rejection }
            let event = try await state.engine.perform(effect)
            if case .imported = event, state.engine.hasStrays { inbox.yield(.event(.localChange)) }
            return event
        } catch {
            state.note(error)
            state.isStalled = true
            return nil
        }
    }

    /// Takes note of the zone to which the way leads, and does nothing there if it is another one than before.
    private func enter(_ zone: String, _ state: inout State) async {
        do {
            state.otherZone = try await state.engine.enter(zone) ? nil : zone
        } catch {
            state.note(error)
        }
    }

    private func send(_ token: UInt64, _ request: SyncRequest, _ engine: SyncEngine) {
        let blobs = engine.blobs(of: request)
        let offset = engine.ledger.header.offset
        let known = engine.zone
        // It is not cancelled when its time is up, but ends by the transport's own time limit.
        Task { [inbox, transport, roleBoard, clock] in
            do {
                let response: SyncResponse
                if let zone = try await transport.zone {
                    inbox.yield(.entered(zone: zone))
                    if let known, zone != known { throw SyncFailure.elsewhere(zone) }
                }
                do {
                    for blob in blobs {
                        try await transport.upload(try await blob.bytes(), as: blob.name.text)
                    }
                    let bytes = try await transport.answer(to: Data(CBORWriter.bytes(of: request.wire)))
                    response = try SyncResponse(wire: CBORReader.read(Array(bytes), limits: .trusted))
                } catch let denial as SyncDenial {
                    guard let denied = request.denied(denial.reason, at: clock.now, offset) else {
                        throw denial
                    }
                    response = denied
                }
                if let role = await transport.role { roleBoard.post(role) }
                inbox.yield(.event(.response(token: token, response)))
            } catch {
                inbox.yield(.failed(token: token, error))
            }
        }
    }

    private func finish(_ state: inout State) {
        let machine = state.engine.machine
        state.timer?.cancel()
        state.timer = Task { [inbox, clock] in
            guard (try? await clock.sleep(until: machine.deadline)) != nil else { return }
            inbox.yield(.event(.time))
        }
        guard machine.isIdle || state.isStalled else { return }
        let header = state.engine.ledger.header
        if header.isForeign, header.unknown > 0, header.decision == nil {
            board.post(.needsDecision(objects: header.unknown))
            let failure = SyncFailure.undecided(objects: header.unknown)
            for continuation in state.running { continuation.resume(throwing: failure) }
        } else if let zone = state.otherZone {
            board.post(.elsewhere(zone: zone))
            let failure = SyncFailure.elsewhere(zone)
            for continuation in state.running { continuation.resume(throwing: failure) }
        } else if let outdated = state.outdated {
            board.post(.outdated(minimumVersion: outdated.minimumVersion))
            let failure = SyncFailure.outdated(outdated.minimumVersion)
            for continuation in state.running { continuation.resume(throwing: failure) }
        } else if let problem = state.problem {
            board.post(.waiting(until: clock.date(of: machine.deadline), reason: problem))
            for continuation in state.running { continuation.resume(throwing: SyncFailure(reason: problem)) }
        } else {
            state.engine.removeUnusedBlobs()
            board.post(.upToDate(at: Date()))
            for continuation in state.running { continuation.resume() }
        }
        state.running = []
        if machine.isIdle, !state.waiting.isEmpty { inbox.yield(.event(.start)) }
    }

    private func postIssues(_ state: inout State) {
        let numbers = state.engine.ledger.issueNumbers
        guard numbers != state.issues else { return }
        state.issues = numbers
        issueBoard.post(state.engine.issues)
    }

    private func post(_ effect: SyncEffect, _ state: State) {
        switch effect {
        case .send(_, .push):
            board.post(.pushing(pending: state.engine.pendingCount))
        case .send:
            let ledger = state.engine.ledger
            let first = ledger.header.snapshot
            board.post(.pulling(received: first?.received ?? ledger.inbox.items.count, of: first?.total))
        case .prepareImport(_, let plan) where !plan.rows.isEmpty:
            board.post(.importing(objects: plan.rows.count))
        case .capture, .prepareImport: board.post(.working)
        case .captureMore, .commitImport, .findImport, .wake, .report: break
        }
    }
}

extension SyncRequest {
    /// Returns the answer to a push of which nothing is taken; nil for a request that is no push.
    fileprivate func denied(_ reason: String, at now: Moment, _ offset: Int64) -> SyncResponse? {
        guard case .push(let push) = self else { return nil }
        let outcomes = push.changes.map { _ in Outcome.rejected(reason) }
        // The next push follows the one before this one.
        let answer = PushAnswer(receipt: push.previous, outcomes: outcomes, sequence: 0)
        let wall = Int64(clamping: now.wall).addingReportingOverflow(offset).partialValue
        return SyncResponse(.push(answer), milliseconds: UInt64(clamping: wall))
    }
}
