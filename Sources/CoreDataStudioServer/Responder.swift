#if Studio
import CoreDataJSON
import CoreDataStudioInterface

/// Answers what passed the gate: files of the page, the exchange of a code for the token, downloads, and by
/// its handler all else.
struct Responder: Sendable {
    let handler: StudioHandler
    let assets: AssetSource
    let access: Access
    let downloads: Downloads
    let keyed = KeyedAnswers()

    func answer(_ request: ServerRequest) async -> ServerResponse {
        do {
            return try await route(request)
        } catch {
            return ServerResponse(error)
        }
    }

    private func route(_ request: ServerRequest) async throws(Refusal) -> ServerResponse {
        let head = request.head
        guard let target = RequestTarget(head.target) else {
            throw Refusal(400, "the path cannot be decoded")
        }
        if head.isForInterface { return try await answer(request, target) }
        if target.path.count == 2, target.path[0] == ServerRoute.download {
            guard let offered = downloads.take(target.path[1]) else {
                throw Refusal(404, "this address was good once, and was used")
            }
            return ServerResponse(await handler(offered), asDownload: true)
        }
        guard let asset = assets.asset(at: target.path) else { throw Refusal(404, "there is no such file") }
        return ServerResponse(asset, isKnown: head.values(of: "if-none-match").contains(asset.tag))
    }

    private func answer(_ request: ServerRequest, _ target: RequestTarget) async throws(Refusal)
        -> ServerResponse
    {
        guard let method = StudioRequest.Method(rawValue: request.head.method) else {
            throw Refusal(405, "\(request.head.method) is not answered here")
        }
        let body = try json(request.body)
        switch (method, String(request.head.path)) {
        case (.post, ServerRoute.session):
            let token = try access.exchange(text("code", of: body))
            return ServerResponse(json: .object([.init("token", .string(token))]))
        case (_, ServerRoute.session):
            throw Refusal(405, "a code is exchanged by POST")
        case (.post, ServerRoute.downloads):
            let path = try text("path", of: body)
            guard path.hasPrefix("/"), let offered = RequestTarget(path) else {
                throw Refusal(400, "path is no path")
            }
            let url = downloads.offer(StudioRequest(.get, offered.path, query: offered.query))
            return ServerResponse(json: .object([.init("url", .string(url))]))
        default:
            let question = StudioRequest(
                method, Array(target.path.dropFirst()), query: target.query, body: body)
            let key = method == .post ? request.head.values(of: "idempotency-key").first : nil
            return await keyed.answer(to: key) { [handler] in ServerResponse(await handler(question)) }
        }
    }

    private func json(_ bytes: [UInt8]) throws(Refusal) -> JSONValue {
        guard !bytes.isEmpty else { return .null }
        do {
            return try JSONParser.parse(bytes)
        } catch {
            throw Refusal(400, "the body is no JSON: \(error.message) at byte \(error.position)")
        }
    }

    private func text(_ name: String, of body: JSONValue) throws(Refusal) -> String {
        guard let text = body[name]?.string else { throw Refusal(400, "the body has no text \(name)") }
        return text
    }
}
#endif
