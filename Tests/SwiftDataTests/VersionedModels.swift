#if SwiftData
import SwiftData

/// Three versions of an address book: the second has people with a number, the third with two names.
enum Book1: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self]
    static let versionIdentifier = Schema.Version(1, 0, 0)

    @Model final class Person {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum Book2: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    @Model final class Person {
        var name: String
        var number: Int = 7
        init(name: String) { self.name = name }
    }
}

enum Book3: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self]
    static let versionIdentifier = Schema.Version(3, 0, 0)

    @Model final class Person {
        #Index<Person>([\.family])
        @Attribute(originalName: "name") var family: String
        var first: String?
        var number: Int = 7
        init(family: String) { self.family = family }
    }
}

/// A version that no plan has.
enum ForeignBook: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self]
    static let versionIdentifier = Schema.Version(9, 0, 0)

    @Model final class Person {
        var name: Int?
        var town: String = ""
        init() {}
    }
}

/// Two versions of a club, whose people are in a store of their own.
enum Club1: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self, Hall.self]
    static let versionIdentifier = Schema.Version(1, 0, 0)

    @Model final class Person {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Hall {
        var town: String?
        init() {}
    }
}

enum Club2: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Person.self, Hall.self, Cup.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    @Model final class Person {
        var name: String
        var number = 1
        init(name: String) { self.name = name }
    }

    @Model final class Hall {
        var town: String?
        init() {}
    }

    @Model final class Cup {
        var year = 2000
        init() {}
    }
}
#endif
