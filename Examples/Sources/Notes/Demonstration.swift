import CoreData

/// A server and two apps: they are pulled apart, edited, brought together, and killed.
final class Demonstration {
    private let server: Server
    private let phone: Device
    private let laptop: Device
    private var devices: [Device] { [phone, laptop] }

    init(server path: String, in folder: URL) throws {
        let server = try Server(path, in: folder)
        self.server = server
        phone = try Device("phone", in: folder, server: server.url)
        laptop = try Device("laptop", in: folder, server: server.url)
    }

    // MARK: Apart and together

    func meetAfterEdits() throws {
        headline("A server at \(server.url), and the apps of a phone and a laptop")
        for title in ["Passport", "Tickets", "Camera", "Books"] { try phone.tell("add \(title)") }
        try agree()

        headline("Both go offline, and edit the same notes")
        for device in devices { try device.ask("offline") }
        try phone.tell("text Passport = in the drawer")
        try laptop.tell("text Passport = in the safe")
        try phone.tell("delete Books")
        try laptop.tell("text Books = three of them")
        try phone.tell("move Camera to 1")
        try laptop.tell("add Map")
        try laptop.tell("move Map to 2")
        try laptop.tell("attach 200000 to Tickets")
        for device in devices { show(device.name, try device.ask("list")) }

        headline("Both come back")
        for device in devices { try device.ask("online") }
        try agree()
        try showLosses()
    }

    // MARK: Kills

    /// Lets each of the three programs be killed amid edits, in a random order.
    func survive(_ seed: UInt64, rounds: Int) throws {
        headline("Each is killed at random amid edits (seed \(seed))")
        var random = SplitMix(state: seed)
        var edits = RandomEdits(titles: try phone.ask("list").map(Self.title))
        for _ in 0..<rounds {
            for victim in ["server", "phone", "laptop"].shuffled(using: &random) {
                try kill(victim, amid: &edits, &random)
            }
        }
        let list = try agree()
        try showLosses()
        try edits.check(list.map(Self.title))
        report(
            """

            \(edits.added.count) notes were added and \(edits.deleted.count) deleted while programs were killed \
            \(3 * rounds) times: no acknowledged one is lost, none came back.
            """)
    }

    private func kill(_ victim: String, amid edits: inout RandomEdits, _ random: inout SplitMix) throws {
        let count = Int.random(in: 4...10, using: &random)
        let last = Int.random(in: 1..<count, using: &random)
        for index in 0..<count {
            guard let device = devices.filter(\.isAlive).randomElement(using: &random) else { break }
            if index == last {
                // Within the time that edits are collected, or just after it.
                Thread.sleep(forTimeInterval: .random(in: 0...0.6, using: &random))
                if victim == device.name {
                    // It is killed before it has saved, or after: either may be.
                    try device.say(edits.next(&random, isSure: false))
                }
                (devices.first { $0.name == victim })?.kill()
                if victim == "server" { server.kill() }
                if victim == device.name { continue }
            }
            let edit = edits.next(&random, isSure: true)
            do {
                try device.ask(edit)
            } catch let error as DemonstrationError where error.description.contains(NoSuchNote.words) {
                // The other device has deleted it, or has not sent it yet.
                edits.takeBack(edit)
            }
        }
        report("    the \(victim) was killed after \(last) of \(count) edits")
        if victim == "server" { try server.restart() }
        for device in devices where !device.isAlive { try device.restart() }
    }

    // MARK: Showing

    /// Syncs both apps, and shows their list.
    ///
    /// - Throws: An error if they do not have the same.
    @discardableResult
    private func agree() throws -> [String] {
        // The phone twice, since it has to read what the laptop has sent.
        for device in [phone, laptop, phone] { try device.ask("sync") }
        let lists = try devices.map { try $0.ask("list") }
        guard lists[0] == lists[1] else {
            for (device, list) in zip(devices, lists) { show(device.name, list) }
            throw DemonstrationError("the phone and the laptop do not have the same list")
        }
        show("phone and laptop", lists[0])
        return lists[0]
    }

    /// Shows what the devices were told to have lost, each loss once.
    private func showLosses() throws {
        let lost = try devices.map { try $0.ask("lost") }
        show("what lost", lost[0] + lost[1].filter { !lost[0].contains($0) })
    }

    private func show(_ name: String, _ lines: [String]) {
        report("  \(name):")
        for line in lines { report("      \(line)") }
    }

    private func headline(_ text: String) { report("\n==> \(text)") }

    /// Returns the title in a line of a list.
    private static func title(_ line: String) -> String {
        let note = line.drop { $0 != " " }.dropFirst()
        return String(note.prefix { $0 != " " })
    }
}
