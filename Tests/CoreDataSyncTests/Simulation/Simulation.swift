import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// Devices with stores and ledgers on disk and a server in memory, in virtual time, from one seed.
///
/// What a device has to do is a list, of which one thing is done at a time. So edits, other devices and the end
/// of a process come between any two of them.
final class Simulation {
    /// What can be broken on purpose, to show that the checks notice it.
    enum Sabotage: CaseIterable {
        case merge, cursor, retry
    }

    enum Task {
        case event(SyncEvent)
        case effect(SyncEffect)
        case response(token: UInt64, SyncResponse)
    }

    final class Node {
        let device: Device
        var tasks: [Task] = []
        var app: SimApp
        var isOffline = false
        /// What the device has done last, for the message of a failure.
        private(set) var trace: [Task] = []

        func note(_ task: Task) {
            if trace.count == 40 { trace.removeFirst() }
            trace.append(task)
        }

        init(_ device: Device, _ app: SimApp) {
            self.device = device
            self.app = app
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let server: TestServer
    var nodes: [Node] = []
    var random: SeededGenerator
    private let faults: Int
    private var isHealed = false
    /// Texts that lost, and that the server does not have any more.
    var announced: Set<String> = []
    var backup: DictionaryStorage?
    private let settings: SyncMachine<TrackedLedger>.Settings
    private let sabotage: Sabotage?
    /// Whether users edit what an import is about to write, at the last moment.
    private let editsAmidImports: Bool
    private var amidImports: SeededGenerator

    init(seed: UInt64, sabotage: Sabotage? = nil) async throws {
        self.sabotage = sabotage
        random = SeededGenerator(seed)
        amidImports = SeededGenerator(seed &+ 1 << 40)
        editsAmidImports = amidImports.chance(40)
        let model = LibraryModel.make()
        server = TestServer(try StoreSynchronizer.schema(of: model))
        faults = random.pick([0, 2, 5, 10])
        var settings = SyncMachine<TrackedLedger>.Settings()
        settings.pushLimit = random.pick([1, 4, 1000])
        settings.pageLimit = random.pick([2, 1000])
        settings.captureLimit = amidImports.pick([1, 2, 500, 500])
        self.settings = settings
        for index in 0..<2 + random.below(2) {
            // Each start of an engine takes the next seed. No two devices may make the same IDs.
            let deviceSeed = seed &* 100_000 &+ UInt64(index) * 10_000
            let device = try Device(server, model: LibraryModel.make(), seed: deviceSeed)
            device.settings = settings
            nodes.append(Node(device, SimApp(prefix: "d\(index)-")))
            try await restart(nodes[index])
        }
    }

    // MARK: Running

    func run(steps: Int) async throws {
        for _ in 0..<steps {
            server.now += UInt64(random.below(40))
            let node = random.pick(nodes)
            switch random.below(20) {
            case 0, 1: try edit(node)
            case 2 where random.below(100) < faults: node.isOffline.toggle()
            case 3 where random.below(100) < faults: try node.device.pruneHistory()
            case 4 where random.below(100) < faults * 2: try await restart(node)
            case 5: server.now += UInt64(random.below(20_000))
            case 6 where random.below(100) < faults * 4: try await disturb(node)
            default: try await work(node)
            }
        }
        isHealed = true
        try await heal()
        try await settle()
        try await check()
    }

    private func edit(_ node: Node) throws {
        try node.app.edit(node.device, &random)
        node.tasks.append(.event(.localChange))
    }

    private func edit(amid plan: ImportPlan, _ node: Node) throws {
        let rows = plan.rows.filter { row in
            guard row.local != nil, let name = SimApp.texts[row.entity] else { return false }
            return row.isDeleted || row.values[name] != nil
        }
        guard !rows.isEmpty, amidImports.chance(50) else { return }
        try node.app.retitle(amidImports.pick(rows).local!, node.device)
        node.tasks.append(.event(.localChange))
    }

    /// Ends a process and starts it again.
    func restart(_ node: Node) async throws {
        try await node.device.open()
        node.tasks = [.event(.start)]
    }

    /// Does the next thing that a device has to do.
    private func work(_ node: Node) async throws {
        guard !node.tasks.isEmpty else {
            if let engine = node.device.engine, engine.machine.deadline <= server.now {
                node.tasks = [.event(.time)]
            }
            return
        }
        if !isHealed, random.below(1000) < faults * 3 { return try await restart(node) }
        let task = node.tasks.removeFirst()
        if isHealed { node.note(task) }
        switch task {
        case .event(let event): node.tasks += try await node.device.take(event).map(Task.effect)
        case .response(let token, let response):
            node.tasks += try await node.device.take(.response(token: token, response)).map(Task.effect)
        case .effect(.send(let token, let request)): try send(token, request, node)
        case .effect(let effect):
            if case .prepareImport(_, let plan) = effect, editsAmidImports, !isHealed {
                try edit(amid: plan, node)
            }
            do {
                if let event = try await node.device.perform(effect) {
                    node.tasks.insert(.event(event), at: 0)
                }
            } catch  where Self.isExpected(error, on: node.device) {}
        }
    }

    /// Whether a save may fail: it breaks a rule together with edits that the server does not know yet, or there is
    /// no room. Other errors are failures.
    static func isExpected(_ error: any Error, on device: Device) -> Bool {
        let code = (error as NSError).code
        let isOutOfSpace = code == CocoaError.Code.fileWriteOutOfSpace.rawValue
        return (1550...1680).contains(code) || device.isFull && isOutOfSpace
    }

    private var isLost: Bool { !isHealed && random.below(100) < faults }

    private func send(_ token: UInt64, _ request: SyncRequest, _ node: Node) throws {
        guard !isLost, !node.isOffline else {
            if sabotage == .retry { takeSilenceForAnswer(token, request, node) }
            return
        }
        let before = sabotage == .merge ? server.storage : nil
        let number = server.storage.header.sequence
        if isLost { _ = try server.answer(request) }
        guard var response = try server.answer(request) else { return }
        if let before, case .push(let push) = request, case .push = response.answer {
            letFirstWin(push, before: before)
        }
        if sabotage == .cursor, case .pull(var page) = response.answer, !page.isComplete {
            page.next.item = nil
            response.answer = .pull(page)
        }
        guard !isLost else { return }
        node.tasks.append(.response(token: token, response))
        guard server.storage.header.sequence > number else { return }
        for other in nodes where other !== node && !isLost { other.tasks.append(.event(.poke)) }
    }

    /// Lets all devices come to rest.
    private func settle() async throws {
        for _ in 0..<20_000 {
            var isQuiet = true
            for node in nodes {
                try await work(node)
                let engine = node.device.engine!
                let hasAll = engine.ledger.header.cursor.complete == server.storage.header.sequence
                let isDone =
                    engine.pendingCount == 0 && engine.ledger.inbox.isEmpty
                    && engine.ledger.header.token != nil
                    && engine.ledger.header.snapshot == nil && !engine.ledger.header.needsReconcile
                if !node.tasks.isEmpty || !engine.machine.isIdle || !hasAll || !isDone { isQuiet = false }
            }
            if isQuiet { return }
            if nodes.allSatisfy(\.tasks.isEmpty) {
                server.now = max(server.now, nodes.map { $0.device.engine!.machine.deadline }.min() ?? 0)
            }
        }
        let busy = nodes.filter { !$0.device.engine!.machine.isIdle || !$0.tasks.isEmpty }
        throw Failure(
            description: "not at rest: \(nodes.map { $0.device.engine!.machine.phaseName })\n"
                + busy.flatMap(\.trace).map { "\($0)".prefix(700) }.joined(separator: "\n"))
    }

    // MARK: Checking

    private func check() async throws {
        let wanted = server.graph()
        for (index, node) in nodes.enumerated() {
            if let difference = try await node.device.graph().difference(from: wanted) {
                throw Failure(description: "device \(index): \(difference)")
            }
            guard node.device.engine!.ledger.digest == server.storage.header.digest else {
                throw Failure(description: "device \(index) has another digest")
            }
        }
        try checkNothingIsLost()
        let number = server.storage.header.sequence
        for node in nodes { try await restart(node) }
        try await settle()
        guard server.storage.header.sequence == number else { throw Failure(description: "there is no rest") }
    }

    private func checkNothingIsLost() throws {
        var found = announced
        func note(_ value: SyncValue) { if case .string(let text) = value { found.insert(text) } }
        for row in server.storage.rows.values {
            for register in row.state.registers.values { note(register.value) }
        }
        for row in server.storage.log { note(row.lost.value) }
        for node in nodes {
            found.formUnion(node.app.replaced)
            for issue in node.device.engine!.ledger.issues {
                switch issue {
                case .lost(let lost), .asked(let lost): note(lost.value)
                case .rejected(let change, _), .gone(let change): note(change.value)
                case .diverged, .missingObjects, .parked, .unknownObjects: break
                }
            }
        }
        for node in nodes {
            let lost = node.app.entered.subtracting(found)
            if !lost.isEmpty { throw Failure(description: "lost without a word: \(lost.sorted())") }
        }
    }
}
