import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The model of the query tests: departments, an inheritance tree of people with a reflexive, a to-one and a
/// many-to-many relationship, and tags that projects hold without an inverse.
enum CompanyModel {
    static let model: CompiledModel = {
        let document = ModelDocument(entities: [department, person, employee, manager, project, tag])
        do {
            return try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        } catch {
            preconditionFailure("the model of the tests does not compile: \(error)")
        }
    }()

    private static let department = EntityElement(
        name: "Department",
        attributes: [
            AttributeElement(name: "budget", type: .decimal),
            AttributeElement(name: "name", type: .string),
        ],
        relationships: [
            RelationshipElement(
                name: "employees", destinationName: "Employee", inverseName: "department", maximumCount: 0)
        ])

    private static let person = EntityElement(
        name: "Person",
        attributes: [
            AttributeElement(name: "age", type: .integer32),
            AttributeElement(name: "birthday", type: .date),
            AttributeElement(name: "draft", type: .string, isTransient: true),
            AttributeElement(name: "isActive", type: .boolean),
            AttributeElement(name: "name", type: .string),
            AttributeElement(name: "photo", type: .binary, allowsExternalStorage: true),
            AttributeElement(name: "site", type: .uri),
            AttributeElement(name: "token", type: .uuid),
        ],
        relationships: [
            RelationshipElement(
                name: "friends", destinationName: "Person", inverseName: "friends", maximumCount: 0)
        ])

    private static let employee = EntityElement(
        name: "Employee",
        parentName: "Person",
        attributes: [AttributeElement(name: "salary", type: .double)],
        relationships: [
            RelationshipElement(name: "boss", destinationName: "Employee", inverseName: "reports"),
            RelationshipElement(
                name: "department", destinationName: "Department", inverseName: "employees"),
            RelationshipElement(
                name: "projects", destinationName: "Project", inverseName: "members", maximumCount: 0),
            RelationshipElement(
                name: "reports", destinationName: "Employee", inverseName: "boss", maximumCount: 0),
        ])

    private static let manager = EntityElement(
        name: "Manager", parentName: "Employee",
        attributes: [AttributeElement(name: "bonus", type: .double)])

    private static let project = EntityElement(
        name: "Project",
        attributes: [AttributeElement(name: "title", type: .string)],
        relationships: [
            RelationshipElement(
                name: "members", destinationName: "Employee", inverseName: "projects", isOrdered: true,
                maximumCount: 0),
            RelationshipElement(name: "tags", destinationName: "Tag", maximumCount: 0),
        ])

    private static let tag = EntityElement(
        name: "Tag", attributes: [AttributeElement(name: "label", type: .string)])

    static func index(_ entity: String) -> EntityIndex { model.indexByName[entity] ?? -1 }

    static func reference(_ entity: String, _ key: Int64) -> ObjectReference {
        ObjectReference(entity: index(entity), key: key)
    }

    static func slot(_ name: String, of entity: String) -> Int {
        model.entity(named: entity)?.slotByName[name] ?? -1
    }

    // MARK: Tables

    static let schema = StoreSchema(
        model: model,
        entities: model.entities.map { entity in
            EntityTable(
                entity: entity.index,
                number: Int64(entity.index) + 1,
                tableName: NameMangling.table(model[entity.root].name),
                columns: entity.columns.map(column),
                toMany: Dictionary(
                    uniqueKeysWithValues: entity.slots.filter(\.isToMany).map { ($0.index, storage($0)) }))
        },
        joinTables: [])

    private static func column(_ slot: PropertySlot) -> StoredColumn {
        StoredColumn(
            slot: slot.index, name: NameMangling.column(slot.name),
            entityColumn: slot.name == "boss" ? "Z3_BOSS" : nil)
    }

    private static func storage(_ slot: PropertySlot) -> ToManyStorage {
        switch slot.name {
        case "employees":
            .foreignKey(table: "ZPERSON", column: "ZDEPARTMENT", orderColumn: nil, isOwn: false)
        case "reports": .foreignKey(table: "ZPERSON", column: "ZBOSS", orderColumn: nil, isOwn: false)
        case "tags": .foreignKey(table: "ZTAG", column: "Z5TAGS", orderColumn: nil, isOwn: true)
        case "projects":
            .join(
                table: "Z_3PROJECTS", ownerColumn: "Z_3MEMBERS", memberColumn: "Z_5PROJECTS",
                orderColumn: nil, isReflexive: false)
        case "members":
            .join(
                table: "Z_3PROJECTS", ownerColumn: "Z_5PROJECTS", memberColumn: "Z_3MEMBERS",
                orderColumn: "Z_FOK_3MEMBERS", isReflexive: false)
        default:
            .join(
                table: "Z_2FRIENDS", ownerColumn: "Z_2FRIENDS", memberColumn: "REFLEXIVE",
                orderColumn: nil, isReflexive: true)
        }
    }

    /// Statements that create the tables.
    static let definitions: [SQLText] = [
        "CREATE TABLE ZDEPARTMENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZBUDGET DECIMAL, ZNAME VARCHAR)",
        "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, "
            + "ZISACTIVE INTEGER, ZBOSS INTEGER, Z3_BOSS INTEGER, ZDEPARTMENT INTEGER, ZBIRTHDAY TIMESTAMP, "
            + "ZSALARY FLOAT, ZBONUS FLOAT, ZNAME VARCHAR, ZSITE VARCHAR, ZTOKEN BLOB, ZPHOTO BLOB)",
        "CREATE TABLE Z_2FRIENDS (Z_2FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_2FRIENDS, REFLEXIVE))",
        "CREATE TABLE Z_3PROJECTS (Z_3MEMBERS INTEGER, Z_5PROJECTS INTEGER, Z_FOK_3MEMBERS INTEGER, "
            + "PRIMARY KEY (Z_3MEMBERS, Z_5PROJECTS))",
        "CREATE TABLE ZPROJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR)",
        "CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z5TAGS INTEGER, "
            + "ZLABEL VARCHAR)",
    ]

    static let compiler = SelectCompiler(
        schema: schema, layouts: RowLayouts(model), dialect: SQLiteDialect())
}
