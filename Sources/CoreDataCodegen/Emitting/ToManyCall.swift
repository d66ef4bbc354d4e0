/// The call into the framework that a to-many method makes, with `p0` and `p1` as its arguments.
struct ToManyCall {
    let text: String

    init(_ operation: ToManyMethod.Operation, _ signature: MethodSignature, token: String) throws {
        let types = signature.parameters.map(\.type)
        let expected =
            switch operation {
            case .readPrimitive: 0
            case .add, .remove, .removeAt, .writePrimitive: 1
            case .insertAt, .replaceAt: 2
            }
        guard types.count == expected, (signature.result != nil) == (operation == .readPrimitive) else {
            throw TypeResolver.Failure("its parameters or result do not fit the accessor of its name")
        }
        text =
            switch operation {
            case .add: "ManagedAccess.add(self, \(token), \(Self.members(types[0])))"
            case .remove: "ManagedAccess.remove(self, \(token), \(Self.members(types[0])))"
            case .insertAt: "ManagedAccess.insert(self, \(token), \(Self.list(types[0], "p0")), at: p1)"
            case .removeAt: "ManagedAccess.remove(self, \(token), at: p0)"
            case .replaceAt:
                "ManagedAccess.replace(self, \(token), at: p0, with: \(Self.list(types[1], "p1")))"
            case .readPrimitive: "ManagedAccess.readPrimitive(self, \(token))"
            case .writePrimitive: "ManagedAccess.writePrimitive(self, \(token), p0)"
            }
    }

    private static func members(_ type: SwiftType) -> String {
        switch type {
        case .nominal(.swift("Array", .structure), _): "members: NSOrderedSet(array: p0)"
        case .nominal(.swift("Set", .structure), _): "members: p0"
        case .nominal(let nominal, _) where collections.contains(nominal.name): "members: p0"
        default: "p0"
        }
    }

    private static func list(_ type: SwiftType, _ name: String) -> String {
        if case .nominal(let nominal, _) = type, nominal.name == "NSArray" {
            return "\(name) as! [NSManagedObject]"
        }
        return name
    }

    private static let collections: Set<String> = [
        "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]
}
