package import CoreDataJSON

extension ModelCommand {
    /// Reads a list of commands.
    package static func commands(in json: JSONValue) throws(CommandSyntaxError) -> [ModelCommand] {
        guard case .array(let values) = json else { throw CommandSyntaxError("commands are a list") }
        var commands: [ModelCommand] = []
        for (index, value) in values.enumerated() {
            do throws(CommandSyntaxError) {
                commands.append(try ModelCommand(value))
            } catch {
                var error = error
                error.command = index
                throw error
            }
        }
        return commands
    }

    package init(_ json: JSONValue) throws(CommandSyntaxError) {
        var fields = try CommandFields(json, "a command")
        let name = try fields.text("command")
        fields = try CommandFields(json, "\"\(name)\"")
        _ = fields.take("command")
        switch name {
        case "addVersion":
            self = .addVersion(name: try fields.text("name"), from: try fields.optionalText("from"))
        case "renameVersion": self = .renameVersion(try fields.text("version"), to: try fields.text("to"))
        case "removeVersion": self = .removeVersion(try fields.text("version"))
        case "setCurrentVersion": self = .setCurrentVersion(try fields.text("version"))
        default:
            let version = try fields.optionalText("version")
            self = .edit(try DocumentCommand(name, &fields), version: version)
        }
        try fields.requireEnd()
    }

    package var json: JSONValue {
        switch self {
        case .edit(let command, let version):
            let (name, members) = command.members
            return Self.object(name, members + (version.map { [.init("version", .string($0))] } ?? []))
        case .addVersion(let name, let original):
            let from = original.map { [JSONValue.Member("from", .string($0))] } ?? []
            return Self.object("addVersion", [.init("name", .string(name))] + from)
        case .renameVersion(let name, let newName):
            return Self.object(
                "renameVersion", [.init("version", .string(name)), .init("to", .string(newName))])
        case .removeVersion(let name): return Self.object("removeVersion", [.init("version", .string(name))])
        case .setCurrentVersion(let name):
            return Self.object("setCurrentVersion", [.init("version", .string(name))])
        }
    }

    private static func object(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
        .object([.init("command", .string(name))] + members)
    }
}

extension DocumentCommand {
    fileprivate init(_ name: String, _ fields: inout CommandFields) throws(CommandSyntaxError) {
        switch name {
        case "add":
            self = .add(
                try ElementDraft(fields.take("element") ?? .null), to: try fields.optionalAddress("to") ?? "",
                at: try fields.optionalNumber("at"))
        case "remove": self = .remove(try fields.addresses("elements"))
        case "rename": self = .rename(try fields.address("element"), to: try fields.text("to"))
        case "duplicate": self = .duplicate(try fields.addresses("elements"))
        case "move": self = .move(try fields.address("element"), to: try fields.number("at"))
        case "set": self = .set(try fields.addresses("elements"), try fields.members("set"))
        case "connect":
            self = .connect(
                try RelationshipEnd(fields.take("from") ?? .null),
                try RelationshipEnd(fields.take("to") ?? .null))
        case "setInverse":
            self = .setInverse(try fields.address("element"), try fields.optionalAddress("inverse"))
        case "setMembers":
            self = .setMembers(
                try fields.address("element"), facet: try fields.text("list"), add: try fields.list("add"),
                remove: try fields.list("remove"))
        case "place":
            var positions: [EntityPosition] = []
            for value in try fields.list("places") { positions.append(try EntityPosition(value)) }
            self = .place(positions)
        case "paste":
            var drafts: [ElementDraft] = []
            for value in try fields.list("elements") { drafts.append(try ElementDraft(value)) }
            self = .paste(drafts, into: try fields.optionalAddress("to") ?? "")
        case "replaceText": self = .replaceText(try fields.text("text"))
        case "applyFix": self = .applyFix(try fields.text("fix"), of: try fields.address("element"))
        default: throw CommandSyntaxError("there is no command \"\(name)\"")
        }
    }

    /// The name and the members besides it.
    fileprivate var members: (name: String, [JSONValue.Member]) {
        func list(_ addresses: [ElementAddress]) -> JSONValue { .array(addresses.map(\.json)) }
        return switch self {
        case .add(let draft, let owner, let index):
            (
                "add",
                [.init("element", draft.json), .init("to", owner.json)]
                    + (index.map { [.init("at", .integer(Int64($0)))] } ?? [])
            )
        case .remove(let addresses): ("remove", [.init("elements", list(addresses))])
        case .rename(let address, let name):
            ("rename", [.init("element", address.json), .init("to", .string(name))])
        case .duplicate(let addresses): ("duplicate", [.init("elements", list(addresses))])
        case .move(let address, let index):
            ("move", [.init("element", address.json), .init("at", .integer(Int64(index)))])
        case .set(let addresses, let facets):
            ("set", [.init("elements", list(addresses)), .init("set", .object(facets))])
        case .connect(let one, let other): ("connect", [.init("from", one.json), .init("to", other.json)])
        case .setInverse(let address, let inverse):
            ("setInverse", [.init("element", address.json), .init("inverse", inverse?.json ?? .null)])
        case .setMembers(let address, let facet, let added, let removed):
            (
                "setMembers",
                [
                    .init("element", address.json), .init("list", .string(facet)),
                    .init("add", .array(added)),
                    .init("remove", .array(removed)),
                ]
            )
        case .place(let positions): ("place", [.init("places", .array(positions.map(\.json)))])
        case .paste(let drafts, let owner):
            ("paste", [.init("elements", .array(drafts.map(\.json))), .init("to", owner.json)])
        case .replaceText(let text): ("replaceText", [.init("text", .string(text))])
        case .applyFix(let name, let address):
            ("applyFix", [.init("fix", .string(name)), .init("element", address.json)])
        }
    }
}

extension ElementDraft {
    /// Reads a new element from JSON.
    package init(_ json: JSONValue) throws(CommandSyntaxError) {
        var fields = try CommandFields(json, "an element")
        let kindName = try fields.text("kind")
        guard let kind = ElementKind(rawValue: kindName), kind != .model else {
            throw CommandSyntaxError("there is no kind \"\(kindName)\" of elements")
        }
        self.init(kind, name: try fields.optionalText("name"), try fields.members("set"))
        for value in try fields.list("elements") { members.append(try ElementDraft(value)) }
        try fields.requireEnd()
    }

    package var json: JSONValue {
        var members: [JSONValue.Member] = [.init("kind", .string(kind.rawValue))]
        if let name { members.append(.init("name", .string(name))) }
        if !facets.isEmpty { members.append(.init("set", .object(facets))) }
        if !self.members.isEmpty { members.append(.init("elements", .array(self.members.map(\.json)))) }
        return .object(members)
    }
}

extension RelationshipEnd {
    init(_ json: JSONValue) throws(CommandSyntaxError) {
        var fields = try CommandFields(json, "an end of a relationship")
        self.init(
            try fields.address("entity"), name: try fields.optionalText("name"), try fields.members("set"))
        try fields.requireEnd()
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("entity", entity.json)]
        if let name { members.append(.init("name", .string(name))) }
        if !facets.isEmpty { members.append(.init("set", .object(facets))) }
        return .object(members)
    }
}

extension EntityPosition {
    init(_ json: JSONValue) throws(CommandSyntaxError) {
        var fields = try CommandFields(json, "a place")
        self.init(try fields.address("entity"), x: try fields.number("x"), y: try fields.number("y"))
        try fields.requireEnd()
    }

    var json: JSONValue {
        .object([
            .init("entity", entity.json), .init("x", .integer(Int64(x))), .init("y", .integer(Int64(y))),
        ])
    }
}
