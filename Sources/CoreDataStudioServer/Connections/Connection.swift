#if Studio
import NIOCore
import NIOHTTP1

/// One connection: its requests are answered one after the other.
struct Connection: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let channel: Channel
    let responder: Responder

    /// Sets up the handlers of a new connection.
    static func prepare(_ channel: any NIOCore.Channel, gate: Gate, limits: ServerLimits) throws -> Channel {
        var headLimits = NIOHTTPDecoderLimitConfiguration()
        headLimits.maxHeaderFieldSize = limits.headBytes
        headLimits.maxHeaderListSize = limits.headBytes
        headLimits.maxHeaderFieldCount = limits.headFields
        let watch = RequestWatch(gate: gate, limits: limits)
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: headLimits)
        try channel.pipeline.syncOperations.addHandlers([
            ByteWatch(watch), HTTPResponseEncoder(), ByteToMessageHandler(decoder), watch,
        ])
        return try Channel(wrappingChannelSynchronously: channel)
    }

    /// Answers until the client leaves. What is still asked then is cancelled.
    func serve() async {
        let task = Task { try await answerAll() }
        channel.channel.closeFuture.whenComplete { _ in task.cancel() }
        await withTaskCancellationHandler {
            // Clients may leave at any time: that is no failure of the server.
            _ = await task.result
        } onCancel: {
            task.cancel()
        }
    }

    private func answerAll() async throws {
        try await channel.executeThenClose { inbound, outbound in
            var parts = inbound.makeAsyncIterator()
            while let (request, isKeptAlive) = try await next(&parts) {
                let response = await responder.answer(request)
                try Task.checkCancellation()
                // In one write, so that the client need not acknowledge the head to get the body.
                try await outbound.write(contentsOf: response.parts(isKeptAlive: isKeptAlive))
                if case .parts(let stream) = response.body {
                    for try await part in stream {
                        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: part))))
                    }
                    try Task.checkCancellation()
                    try await outbound.write(.end(nil))
                }
                if !isKeptAlive { break }
            }
        }
    }

    /// Reads a request to its end. Returns nil if the client left.
    private func next(
        _ parts: inout NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    ) async throws -> (ServerRequest, isKeptAlive: Bool)? {
        var head: HTTPRequestHead?
        var body: [UInt8] = []
        while let part = try await parts.next() {
            switch part {
            case .head(let value): head = value
            case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
            case .end:
                guard let head else { return nil }
                return (ServerRequest(head: RequestHead(head), body: body), head.isKeepAlive)
            }
        }
        return nil
    }
}
#endif
