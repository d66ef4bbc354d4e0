import CoreDataSyncCore
import CoreDataValues

/// A model with every kind of property and rule.
enum TestModel {
    static let library = SyncModel(entities: [
        SyncModel.Entity(
            "Library",
            properties: [
                .init("name", .attribute(.string, default: .string("")), isOptional: false),
                .init(
                    "shelves",
                    .relationship(
                        .init(to: "Shelf", inverse: "library", isToMany: true, deleteRule: .cascade))),
                .init(
                    "topics",
                    .relationship(.init(to: "Tag", inverse: "libraries", isToMany: true, isOrdered: true))),
            ]),
        SyncModel.Entity(
            "Shelf",
            properties: [
                .init("name", .attribute(.string, default: .null)),
                .init("library", .relationship(.init(to: "Library", inverse: "shelves")), isOptional: false),
                .init(
                    "books",
                    .relationship(
                        .init(to: "Book", inverse: "shelf", isToMany: true, isOrdered: true, maximum: 4))),
                .init(
                    "parent", .relationship(.init(to: "Shelf", inverse: "children")),
                    userInfo: ["SyncAcyclic": "YES"]),
                .init("children", .relationship(.init(to: "Shelf", inverse: "parent", isToMany: true))),
            ]),
        SyncModel.Entity(
            "Book",
            properties: [
                .init("title", .attribute(.string, default: .null)),
                .init("isbn", .attribute(.string, default: .null)),
                .init("copies", .attribute(.integer64, default: .null), userInfo: ["SyncMerge": "counter"]),
                .init("rating", .attribute(.integer16, default: .null), userInfo: ["SyncMerge": "max"]),
                .init("latitude", .attribute(.double, default: .null), userInfo: ["SyncGroup": "place"]),
                .init("longitude", .attribute(.double, default: .null), userInfo: ["SyncGroup": "place"]),
                .init("shelf", .relationship(.init(to: "Shelf", inverse: "books"))),
                .init("sequel", .relationship(.init(to: "Book", inverse: "prequel"))),
                .init("prequel", .relationship(.init(to: "Book", inverse: "sequel"))),
                .init("tags", .relationship(.init(to: "Tag", inverse: "books", isToMany: true))),
            ], unique: [["isbn"]]),
        SyncModel.Entity("Novel", parent: "Book"),
        SyncModel.Entity(
            "Tag",
            properties: [
                .init("name", .attribute(.string, default: .string("?")), isOptional: false),
                .init("books", .relationship(.init(to: "Book", inverse: "tags", isToMany: true))),
                .init(
                    "libraries",
                    .relationship(.init(to: "Library", inverse: "topics", isToMany: true, isOrdered: true))),
                .init(
                    "loans",
                    .relationship(.init(to: "Loan", inverse: "tag", isToMany: true, deleteRule: .deny))),
            ], unique: [["name"]]),
        SyncModel.Entity(
            "Loan",
            properties: [
                .init("note", .attribute(.string, default: .null)),
                .init("tag", .relationship(.init(to: "Tag", inverse: "loans"))),
                .init("label", .relationship(.init(to: "Label", inverse: "loans"))),
            ], userInfo: ["SyncDelete": "editsWin"]),
        SyncModel.Entity(
            "Label",
            properties: [
                .init("text", .attribute(.string, default: .null)),
                .init("color", .attribute(.string, default: .null)),
                .init("uses", .attribute(.integer64, default: .null), userInfo: ["SyncMerge": "counter"]),
                .init("loans", .relationship(.init(to: "Loan", inverse: "label", isToMany: true))),
            ], userInfo: ["SyncIdentity": "text"]),
    ])
}
